CREATE OR REPLACE TEMPORARY VIEW text_r0 USING text
OPTIONS (path 'file:///data/songs.jsonl', lineSep '\n');
CREATE OR REPLACE TEMPORARY VIEW lines_r0 AS
SELECT monotonically_increasing_id() AS pos, '' AS file,
  CAST(value AS BINARY) AS line
FROM text_r0;
CREATE OR REPLACE TEMPORARY VIEW read_r0 AS
SELECT pos, file, line, s, length(s) - length(replace(s, '"', '')) AS quotes FROM (
  SELECT pos, file, line,
    if(right(d, 1) = chr(13), left(d, length(d) - 1), d) AS s FROM (
    SELECT pos, file, line, decode(line, 'ISO-8859-1') AS d
    FROM lines_r0));
CREATE OR REPLACE TEMPORARY VIEW members_r0 AS
SELECT pos, file, line,
  if(whole, regexp_extract_all(s, '("[^"\\\\]*+") *+: *+((?:"[^"\\\\]*+"|(?:0|-?[1-9][0-9]{0,17}|-?(?:0|[1-9][0-9]{0,8})[.][0-9]{0,3}[1-9])|true|false|null|\\[ *+(?:\\]|"[^"\\\\]*+"(?: *+, *+"[^"\\\\]*+")*+ *+\\])))', 1), NULL) AS n, if(whole, regexp_extract_all(s, '("[^"\\\\]*+") *+: *+((?:"[^"\\\\]*+"|(?:0|-?[1-9][0-9]{0,17}|-?(?:0|[1-9][0-9]{0,8})[.][0-9]{0,3}[1-9])|true|false|null|\\[ *+(?:\\]|"[^"\\\\]*+"(?: *+, *+"[^"\\\\]*+")*+ *+\\])))', 2), NULL) AS v
FROM (SELECT *, length(s) <= 65536 AND quotes <= 400
    AND NOT s RLIKE '[\\x00-\\x1f\\x7f]'
    AND s RLIKE '^ *+\\{ *+(?:\\}|"[^"\\\\]*+" *+: *+(?:"[^"\\\\]*+"|(?:0|-?[1-9][0-9]{0,17}|-?(?:0|[1-9][0-9]{0,8})[.][0-9]{0,3}[1-9])|true|false|null|\\[ *+(?:\\]|"[^"\\\\]*+"(?: *+, *+"[^"\\\\]*+")*+ *+\\]))(?: *+, *+"[^"\\\\]*+" *+: *+(?:"[^"\\\\]*+"|(?:0|-?[1-9][0-9]{0,17}|-?(?:0|[1-9][0-9]{0,8})[.][0-9]{0,3}[1-9])|true|false|null|\\[ *+(?:\\]|"[^"\\\\]*+"(?: *+, *+"[^"\\\\]*+")*+ *+\\])))*+ *+\\}) *+\\z' AS whole FROM read_r0);
CREATE OR REPLACE TEMPORARY VIEW fields_r0 AS
SELECT pos, file, line, 0 AS odd,
  if(whole, array(CASE WHEN v[array_position(n, '"pk"') - 1] LIKE '"%' THEN substring(v[array_position(n, '"pk"') - 1], 2, length(v[array_position(n, '"pk"') - 1]) - 2) WHEN v[array_position(n, '"pk"') - 1] <> 'null' THEN v[array_position(n, '"pk"') - 1] ELSE '' END,
    CASE WHEN v[array_position(n, '"sk"') - 1] LIKE '"%' THEN substring(v[array_position(n, '"sk"') - 1], 2, length(v[array_position(n, '"sk"') - 1]) - 2) WHEN v[array_position(n, '"sk"') - 1] <> 'null' THEN v[array_position(n, '"sk"') - 1] ELSE '' END,
    CASE WHEN v[array_position(n, '"_version"') - 1] LIKE '"%' THEN substring(v[array_position(n, '"_version"') - 1], 2, length(v[array_position(n, '"_version"') - 1]) - 2) WHEN v[array_position(n, '"_version"') - 1] <> 'null' THEN v[array_position(n, '"_version"') - 1] ELSE '' END,
    CASE WHEN v[array_position(n, '"updatedAt"') - 1] LIKE '"%' THEN substring(v[array_position(n, '"updatedAt"') - 1], 2, length(v[array_position(n, '"updatedAt"') - 1]) - 2) WHEN v[array_position(n, '"updatedAt"') - 1] <> 'null' THEN v[array_position(n, '"updatedAt"') - 1] ELSE '' END,
    CASE WHEN v[array_position(n, '"_deleted"') - 1] LIKE '"%' THEN substring(v[array_position(n, '"_deleted"') - 1], 2, length(v[array_position(n, '"_deleted"') - 1]) - 2) WHEN v[array_position(n, '"_deleted"') - 1] <> 'null' THEN v[array_position(n, '"_deleted"') - 1] ELSE '' END,
    CASE WHEN v[array_position(n, '"owner"') - 1] LIKE '"%' THEN substring(v[array_position(n, '"owner"') - 1], 2, length(v[array_position(n, '"owner"') - 1]) - 2) WHEN v[array_position(n, '"owner"') - 1] <> 'null' THEN v[array_position(n, '"owner"') - 1] ELSE '' END,
    CASE WHEN v[array_position(n, '"cover"') - 1] LIKE '"%' THEN substring(v[array_position(n, '"cover"') - 1], 2, length(v[array_position(n, '"cover"') - 1]) - 2) WHEN v[array_position(n, '"cover"') - 1] <> 'null' THEN v[array_position(n, '"cover"') - 1] ELSE '' END,
    CASE WHEN v[array_position(n, '"images"') - 1] LIKE '"%' THEN substring(v[array_position(n, '"images"') - 1], 2, length(v[array_position(n, '"images"') - 1]) - 2) WHEN v[array_position(n, '"images"') - 1] <> 'null' THEN v[array_position(n, '"images"') - 1] ELSE '' END,
    CASE WHEN v[array_position(n, decode(X'226974277322', 'ISO-8859-1')) - 1] LIKE '"%' THEN substring(v[array_position(n, decode(X'226974277322', 'ISO-8859-1')) - 1], 2, length(v[array_position(n, decode(X'226974277322', 'ISO-8859-1')) - 1]) - 2) WHEN v[array_position(n, decode(X'226974277322', 'ISO-8859-1')) - 1] <> 'null' THEN v[array_position(n, decode(X'226974277322', 'ISO-8859-1')) - 1] ELSE '' END), NULL) AS f,
  if(whole, transform(concat(
      filter(v, (x, i) -> NOT coalesce(n[i] IN ('', '"cover"'), false)),
      filter(n, x -> x RLIKE '[./ ()]')),
    x -> CASE WHEN x LIKE '"%' THEN substring(x, 2, length(x) - 2) WHEN x <> 'null' THEN x ELSE '' END), NULL) AS t
FROM (SELECT *, n IS NOT NULL AND size(array_distinct(n)) = size(n)
    AND NOT exists(n, x -> x RLIKE '[\\x80-\\xff]') AS whole
  FROM members_r0);
CREATE OR REPLACE TEMPORARY VIEW files_r0 USING binaryFile
OPTIONS (path 'file:///data/songs.jsonl');
INSERT OVERWRITE DIRECTORY 'file:///srv/spark/1/rows' USING parquet
SELECT 0 AS model, pos, line, CAST(odd AS INT) AS odd, plain,
  if(plain, concat(if(f[6] <> '', array(named_struct('bucket', 0, 'key', encode(concat('private/', f[5], '/', f[6]), 'ISO-8859-1'), 'form', 0 + CAST(2 * least(3, length(f[6]) - length(replace(f[6], '/', ''))) + if(right(f[6], 6) RLIKE '[.][^./]{1,5}\\z', 1, 0) AS INT), 'value', xxhash64('value', 0, f[6]))), array()),
    transform(filter(regexp_extract_all(f[7], '"([^"]*)"', 1), v -> v <> ''), v -> named_struct('bucket', 0, 'key', encode(v, 'ISO-8859-1'), 'form', 8 + CAST(2 * least(3, length(v) - length(replace(v, '/', ''))) + if(right(v, 6) RLIKE '[.][^./]{1,5}\\z', 1, 0) AS INT), 'value', xxhash64('value', 0, v)))), array()) AS refs,
  if(plain, t, NULL) AS texts,
  if(plain, xxhash64('owner', 0, lower(regexp_replace(concat(f[0], f[1]), '[^A-Za-z1-9]+', ''))), NULL) AS owner,
  if(plain, f[3], NULL) AS changed,
  if(plain, f[5], NULL) AS identity
FROM (SELECT *, coalesce(size(f) = 9
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
SELECT concat_ws(' ', 'lines', 0, coalesce(sum(length(line)), 0), count(*)) AS value FROM lines_r0
UNION ALL
SELECT concat_ws(' ', 'files', 0, '0', concat(length, '@', unix_seconds(modificationTime))) AS value FROM files_r0
UNION ALL
SELECT concat_ws(' ', 'listed', 0, coalesce(sum(length(line)), 0), count(*)) AS value FROM lines_o0
UNION ALL
SELECT concat_ws(' ', 'listings', 0, '0', concat(length, '@', unix_seconds(modificationTime))) AS value FROM files_o0
UNION ALL
SELECT concat_ws(' ', 'listed', 1, coalesce(sum(length(line)), 0), count(*)) AS value FROM lines_o1
UNION ALL
SELECT concat_ws(' ', 'listings', 1, '0', concat(length, '@', unix_seconds(modificationTime))) AS value FROM files_o1;
