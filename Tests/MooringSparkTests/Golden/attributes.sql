CREATE OR REPLACE TEMPORARY VIEW columns_r0 USING parquet
OPTIONS (path 'file:///data/songs/{a.parquet,b.parquet}');
CREATE OR REPLACE TEMPORARY VIEW members_r0 AS
SELECT *, concat('{', concat_ws(',', concat('"_deleted":', c0),
    concat('"_version":', c1),
    concat('"cover":', concat('"', if(c2 RLIKE '[\\x00-\\x1f\\x7f"\\\\]', array_join(transform(filter(split(c2, '', -1), c -> c <> ''), c -> CASE WHEN ascii(c) < 32 THEN concat('\\u00', lpad(hex(ascii(c)), 2, '0')) WHEN c IN ('"', '\\') THEN concat('\\', c) ELSE c END), ''), c2), '"')),
    concat('"images":', c3),
    concat('"local":', concat('"', if(c4 RLIKE '[\\x00-\\x1f\\x7f"\\\\]', array_join(transform(filter(split(c4, '', -1), c -> c <> ''), c -> CASE WHEN ascii(c) < 32 THEN concat('\\u00', lpad(hex(ascii(c)), 2, '0')) WHEN c IN ('"', '\\') THEN concat('\\', c) ELSE c END), ''), c4), '"')),
    concat('"owner":', concat('"', if(c5 RLIKE '[\\x00-\\x1f\\x7f"\\\\]', array_join(transform(filter(split(c5, '', -1), c -> c <> ''), c -> CASE WHEN ascii(c) < 32 THEN concat('\\u00', lpad(hex(ascii(c)), 2, '0')) WHEN c IN ('"', '\\') THEN concat('\\', c) ELSE c END), ''), c5), '"')),
    concat('"pk":', concat('"', if(c6 RLIKE '[\\x00-\\x1f\\x7f"\\\\]', array_join(transform(filter(split(c6, '', -1), c -> c <> ''), c -> CASE WHEN ascii(c) < 32 THEN concat('\\u00', lpad(hex(ascii(c)), 2, '0')) WHEN c IN ('"', '\\') THEN concat('\\', c) ELSE c END), ''), c6), '"')),
    concat('"price":', concat('"', if(c7 RLIKE '[\\x00-\\x1f\\x7f"\\\\]', array_join(transform(filter(split(c7, '', -1), c -> c <> ''), c -> CASE WHEN ascii(c) < 32 THEN concat('\\u00', lpad(hex(ascii(c)), 2, '0')) WHEN c IN ('"', '\\') THEN concat('\\', c) ELSE c END), ''), c7), '"')),
    concat('"sk":', c8),
    concat('"updatedAt":', concat('"', if(c9 RLIKE '[\\x00-\\x1f\\x7f"\\\\]', array_join(transform(filter(split(c9, '', -1), c -> c <> ''), c -> CASE WHEN ascii(c) < 32 THEN concat('\\u00', lpad(hex(ascii(c)), 2, '0')) WHEN c IN ('"', '\\') THEN concat('\\', c) ELSE c END), ''), c9), '"'))), '}') AS s
FROM (SELECT monotonically_increasing_id() AS pos, substring_index(input_file_name(), '/', -1) AS file,
  CAST(`_deleted` AS STRING) AS c0,
  CAST(`_version` AS STRING) AS c1,
  decode(CAST(`cover` AS BINARY), 'ISO-8859-1') AS c2,
  concat('[', array_join(transform(`images`, x -> coalesce(concat('"', if(decode(CAST(x AS BINARY), 'ISO-8859-1') RLIKE '[\\x00-\\x1f\\x7f"\\\\]', array_join(transform(filter(split(decode(CAST(x AS BINARY), 'ISO-8859-1'), '', -1), c -> c <> ''), c -> CASE WHEN ascii(c) < 32 THEN concat('\\u00', lpad(hex(ascii(c)), 2, '0')) WHEN c IN ('"', '\\') THEN concat('\\', c) ELSE c END), ''), decode(CAST(x AS BINARY), 'ISO-8859-1')), '"'), 'null')), ','), ']') AS c3,
  concat(regexp_replace(date_format(`local`, 'yyyy-MM-dd\'T\'HH:mm:ss.SSSSSS'), '000\\z', '')) AS c4,
  decode(CAST(`owner` AS BINARY), 'ISO-8859-1') AS c5,
  decode(CAST(`pk` AS BINARY), 'ISO-8859-1') AS c6,
  CAST(`price` AS STRING) AS c7,
  CAST(`sk` AS STRING) AS c8,
  concat(regexp_replace(date_format(`updatedAt`, 'yyyy-MM-dd\'T\'HH:mm:ss.SSSSSS'), '000\\z', ''), 'Z') AS c9
  FROM columns_r0);
CREATE OR REPLACE TEMPORARY VIEW fields_r0 AS
SELECT pos, file, 0 AS odd, encode(s, 'ISO-8859-1') AS line,
  if(whole, array(coalesce(c6, ''), coalesce(c8, ''), coalesce(c1, ''), coalesce(c9, ''), coalesce(c0, ''), coalesce(c5, ''), coalesce(c2, ''), coalesce(c3, '')), NULL) AS f,
  if(whole, array(coalesce(c0, ''), coalesce(c1, ''), coalesce(c3, ''), coalesce(c4, ''), coalesce(c5, ''), coalesce(c6, ''), coalesce(c7, ''), coalesce(c8, ''), coalesce(c9, '')), NULL) AS t
FROM (SELECT *, length(s) <= 65536 AND NOT contains(s, '\\') AS whole
  FROM members_r0);
CREATE OR REPLACE TEMPORARY VIEW files_r0 USING binaryFile
OPTIONS (path 'file:///data/songs/{a.parquet,b.parquet}');
INSERT OVERWRITE DIRECTORY 'file:///srv/spark/1/rows' USING parquet
SELECT 0 AS model, pos, line, CAST(odd AS INT) AS odd, plain,
  if(plain, concat(if(f[6] <> '', array(named_struct('bucket', 0, 'key', encode(concat('private/', f[5], '/', f[6]), 'ISO-8859-1'), 'form', 0 + CAST(2 * least(3, length(f[6]) - length(replace(f[6], '/', ''))) + if(right(f[6], 6) RLIKE '[.][^./]{1,5}\\z', 1, 0) AS INT), 'value', xxhash64('value', 0, f[6]))), array()),
    transform(filter(regexp_extract_all(f[7], '"([^"]*)"', 1), v -> v <> ''), v -> named_struct('bucket', 0, 'key', encode(v, 'ISO-8859-1'), 'form', 8 + CAST(2 * least(3, length(v) - length(replace(v, '/', ''))) + if(right(v, 6) RLIKE '[.][^./]{1,5}\\z', 1, 0) AS INT), 'value', xxhash64('value', 0, v)))), array()) AS refs,
  if(plain, t, NULL) AS texts,
  if(plain, xxhash64('owner', 0, lower(regexp_replace(concat(f[0], f[1]), '[^A-Za-z1-9]+', ''))), NULL) AS owner,
  if(plain, f[3], NULL) AS changed,
  if(plain, f[5], NULL) AS identity
FROM (SELECT *, coalesce(size(f) = 8
    AND f[0] <> '' AND f[0] RLIKE '^[\\x20-\\x7e]*+\\z'
    AND f[1] <> '' AND f[1] RLIKE '^[\\x20-\\x7e]*+\\z'
    AND f[2] RLIKE '^[0-9]{0,18}\\z'
    AND f[4] IN ('', '0', 'false')
    AND (f[3] = '' OR f[3] RLIKE '^1[0-9]{9}(?:[0-9]{3})?\\z' OR f[3] RLIKE '^[0-9]{4}-(?:(?:0[1-9]|1[0-2])-(?:0[1-9]|1[0-9]|2[0-8])|(?:0[13-9]|1[0-2])-(?:29|30)|(?:0[13578]|1[02])-31)T(?:[01][0-9]|2[0-3])(?::[0-5][0-9]){2}(?:[.][0-9]{3})?Z\\z')
    AND f[5] RLIKE '^[\\x20-\\x7e]*+\\z' AND NOT contains(f[5], '/')
    AND (f[6] = '' OR length(f[6]) BETWEEN 1 AND 1024 AND left(f[6], 1) NOT IN ('/', '[', '{') AND f[5] <> '')
    AND (f[7] = '' OR f[7] RLIKE '^ *+\\[ *+(?:\\]|"[^"\\\\\\x80-\\xff]*+"(?: *+, *+"[^"\\\\\\x80-\\xff]*+")*+ *+\\])\\z' AND forall(regexp_extract_all(f[7], '"([^"]*)"', 1), v -> v = '' OR length(v) BETWEEN 1 AND 1024 AND left(v, 1) NOT IN ('/', '[', '{'))), false) AS plain FROM fields_r0);
INSERT OVERWRITE DIRECTORY 'file:///srv/spark/1/facts' USING text OPTIONS (compression 'none')
SELECT concat_ws(' ', 'closed', model, 0, count(*)) AS value FROM closed GROUP BY model
UNION ALL
SELECT concat_ws(' ', 'gone', bucket, 0, count(*)) AS value FROM gone GROUP BY bucket
UNION ALL
SELECT concat_ws(' ', 'bytes', bucket, 0, least(sum(CAST(size AS DECIMAL(38, 0))), CAST(9223372036854775807 AS DECIMAL(38, 0)))) AS value FROM gone GROUP BY bucket
UNION ALL
SELECT concat_ws(' ', 'matched', model, bucket, count(*)) AS value FROM gone GROUP BY model, bucket
UNION ALL
SELECT concat_ws(' ', 'references', model, field, count(*)) AS value FROM (
  SELECT model, explode(transform(forms, f -> f DIV 8)) AS field
  FROM closed) GROUP BY model, field
UNION ALL
SELECT concat_ws(' ', 'held', model, field, count(*)) AS value FROM (
  SELECT model, explode(array_distinct(transform(forms, f -> f DIV 8))) AS field
  FROM closed) GROUP BY model, field
UNION ALL
SELECT concat_ws(' ', 'form', model, form DIV 8, form % 8) AS value FROM (
  SELECT DISTINCT model, form FROM closed LATERAL VIEW explode(forms) AS form)
UNION ALL
SELECT concat_ws(' ', 'changed', model, form, max(moment)) AS value FROM (
  SELECT model, if(changed LIKE '%Z', 0, length(changed)) AS form,
    if(changed LIKE '%.%' OR changed NOT LIKE '%Z', changed,
      concat(left(changed, 19), '.000Z')) AS moment
  FROM closed WHERE changed <> '') GROUP BY model, form
UNION ALL
SELECT concat_ws(' ', 'identity', model, 0, hex(encode(identity, 'ISO-8859-1'))) AS value FROM (
  SELECT DISTINCT model, identity FROM closed WHERE identity <> '')
UNION ALL
SELECT concat_ws(' ', 'rows', model, sum(odd), count(*)) AS value FROM rows GROUP BY model
UNION ALL
SELECT concat_ws(' ', 'objects', bucket, sum(odd), count(*)) AS value FROM objects GROUP BY bucket
UNION ALL
SELECT concat_ws(' ', 'lines', 0, 0, count(*)) AS value FROM columns_r0
UNION ALL
SELECT concat_ws(' ', 'files', 0, substring_index(path, '/', -1), concat(length, '@', unix_seconds(modificationTime))) AS value FROM files_r0
UNION ALL
SELECT concat_ws(' ', 'listed', 0, coalesce(sum(length(line)), 0), count(*)) AS value FROM lines_o0
UNION ALL
SELECT concat_ws(' ', 'listings', 0, '0', concat(length, '@', unix_seconds(modificationTime))) AS value FROM files_o0
UNION ALL
SELECT concat_ws(' ', 'listed', 1, coalesce(sum(length(line)), 0), count(*)) AS value FROM lines_o1
UNION ALL
SELECT concat_ws(' ', 'listings', 1, '0', concat(length, '@', unix_seconds(modificationTime))) AS value FROM files_o1;
