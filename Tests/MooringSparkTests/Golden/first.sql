CREATE OR REPLACE TEMPORARY VIEW reached USING text
OPTIONS (path 'file:///srv/spark/stage-1.py');
CREATE OR REPLACE TEMPORARY VIEW text_r0 USING text
OPTIONS (path 'file:///data/it\'s/songs.csv', lineSep '\n');
CREATE OR REPLACE TEMPORARY VIEW lines_r0 AS
SELECT monotonically_increasing_id() AS pos, '' AS file,
  CAST(value AS BINARY) AS line
FROM text_r0;
CREATE OR REPLACE TEMPORARY VIEW read_r0 AS
SELECT pos, file, line, s, length(s) - length(replace(s, '"', '')) AS quotes FROM (
  SELECT pos, file, line,
    if(right(d, 1) = chr(13), left(d, length(d) - 1), d) AS s FROM (
    SELECT pos, file, line, decode(line, 'ISO-8859-1') AS d
    FROM lines_r0
    WHERE line NOT IN (X'706b2c736b2c636f7665722c696d616765732c6f776e65722c7469746c652c7570646174656441742c5f76657273696f6e2c5f64656c65746564', X'706b2c736b2c636f7665722c696d616765732c6f776e65722c7469746c652c7570646174656441742c5f76657273696f6e2c5f64656c657465640d')));
CREATE OR REPLACE TEMPORARY VIEW fields_r0 AS
SELECT pos, file, line, quotes % 2 AS odd, CASE
  WHEN length(s) > 65536 OR quotes > 400 THEN NULL
  WHEN s RLIKE '[\\x00-\\x1f\\x7f]' THEN NULL
  WHEN quotes = 0 THEN split(s, ',', -1)
  WHEN concat(',', s) RLIKE '^(?:,(?:"[^"]*+(?:""[^"]*+)*+"|[^",]*+))*+\\z' THEN transform(regexp_extract_all(concat(',', s), ',("[^"]*+(?:""[^"]*+)*+"|[^",]*+)', 1), x -> if(startswith(x, '"'), replace(substring(x, 2, length(x) - 2), '""', '"'), x))
  END AS f
FROM read_r0;
CREATE OR REPLACE TEMPORARY VIEW text_r2 USING text
OPTIONS (path 'file:///data/pages.csv', lineSep '\n');
CREATE OR REPLACE TEMPORARY VIEW lines_r2 AS
SELECT monotonically_increasing_id() AS pos, '' AS file,
  CAST(value AS BINARY) AS line
FROM text_r2;
CREATE OR REPLACE TEMPORARY VIEW read_r2 AS
SELECT pos, file, line, s, length(s) - length(replace(s, '"', '')) AS quotes FROM (
  SELECT pos, file, line,
    if(right(d, 1) = chr(13), left(d, length(d) - 1), d) AS s FROM (
    SELECT pos, file, line, decode(line, 'ISO-8859-1') AS d
    FROM lines_r2
    WHERE line NOT IN (X'69642c66696c65', X'69642c66696c650d')));
CREATE OR REPLACE TEMPORARY VIEW fields_r2 AS
SELECT pos, file, line, quotes % 2 AS odd, CASE
  WHEN length(s) > 65536 OR quotes > 400 THEN NULL
  WHEN s RLIKE '[\\x00-\\x1f\\x7f]' THEN NULL
  WHEN quotes = 0 THEN split(s, ',', -1)
  WHEN concat(',', s) RLIKE '^(?:,(?:"[^"]*+(?:""[^"]*+)*+"|[^",]*+))*+\\z' THEN transform(regexp_extract_all(concat(',', s), ',("[^"]*+(?:""[^"]*+)*+"|[^",]*+)', 1), x -> if(startswith(x, '"'), replace(substring(x, 2, length(x) - 2), '""', '"'), x))
  END AS f
FROM read_r2;
CREATE OR REPLACE TEMPORARY VIEW text_o0 USING text
OPTIONS (path 'file:///data/media.csv', lineSep '\n');
CREATE OR REPLACE TEMPORARY VIEW lines_o0 AS
SELECT monotonically_increasing_id() AS pos, '' AS file,
  CAST(value AS BINARY) AS line
FROM text_o0;
CREATE OR REPLACE TEMPORARY VIEW read_o0 AS
SELECT pos, file, line, s, length(s) - length(replace(s, '"', '')) AS quotes FROM (
  SELECT pos, file, line,
    if(right(d, 1) = chr(13), left(d, length(d) - 1), d) AS s FROM (
    SELECT pos, file, line, decode(line, 'ISO-8859-1') AS d
    FROM lines_o0
    WHERE line NOT IN (X'6b65792c73697a652c6c6173744d6f6469666965642c65746167', X'6b65792c73697a652c6c6173744d6f6469666965642c657461670d')));
CREATE OR REPLACE TEMPORARY VIEW fields_o0 AS
SELECT pos, file, line, quotes % 2 AS odd, CASE
  WHEN length(s) > 65536 OR quotes > 400 THEN NULL
  WHEN s RLIKE '[\\x00-\\x1f\\x7f]' THEN NULL
  WHEN quotes = 0 THEN split(s, ',', -1)
  WHEN concat(',', s) RLIKE '^(?:,(?:"[^"]*+(?:""[^"]*+)*+"|[^",]*+))*+\\z' THEN transform(regexp_extract_all(concat(',', s), ',("[^"]*+(?:""[^"]*+)*+"|[^",]*+)', 1), x -> if(startswith(x, '"'), replace(substring(x, 2, length(x) - 2), '""', '"'), x))
  END AS f
FROM read_o0;
CREATE OR REPLACE TEMPORARY VIEW text_o1 USING text
OPTIONS (path 'file:///data/web.csv', lineSep '\n');
CREATE OR REPLACE TEMPORARY VIEW lines_o1 AS
SELECT monotonically_increasing_id() AS pos, '' AS file,
  CAST(value AS BINARY) AS line
FROM text_o1;
CREATE OR REPLACE TEMPORARY VIEW read_o1 AS
SELECT pos, file, line, s, length(s) - length(replace(s, '"', '')) AS quotes FROM (
  SELECT pos, file, line,
    if(right(d, 1) = chr(13), left(d, length(d) - 1), d) AS s FROM (
    SELECT pos, file, line, decode(line, 'ISO-8859-1') AS d
    FROM lines_o1
    WHERE line NOT IN (X'6c6173744d6f6469666965642c6b65792c73697a65', X'6c6173744d6f6469666965642c6b65792c73697a650d')));
CREATE OR REPLACE TEMPORARY VIEW fields_o1 AS
SELECT pos, file, line, quotes % 2 AS odd, CASE
  WHEN length(s) > 65536 OR quotes > 400 THEN NULL
  WHEN s RLIKE '[\\x00-\\x1f\\x7f]' THEN NULL
  WHEN quotes = 0 THEN split(s, ',', -1)
  WHEN concat(',', s) RLIKE '^(?:,(?:"[^"]*+(?:""[^"]*+)*+"|[^",]*+))*+\\z' THEN transform(regexp_extract_all(concat(',', s), ',("[^"]*+(?:""[^"]*+)*+"|[^",]*+)', 1), x -> if(startswith(x, '"'), replace(substring(x, 2, length(x) - 2), '""', '"'), x))
  END AS f
FROM read_o1;
CREATE OR REPLACE TEMPORARY VIEW files_r0 USING binaryFile
OPTIONS (path 'file:///data/it\'s/songs.csv');
CREATE OR REPLACE TEMPORARY VIEW files_r2 USING binaryFile
OPTIONS (path 'file:///data/pages.csv');
CREATE OR REPLACE TEMPORARY VIEW files_o0 USING binaryFile
OPTIONS (path 'file:///data/media.csv');
CREATE OR REPLACE TEMPORARY VIEW files_o1 USING binaryFile
OPTIONS (path 'file:///data/web.csv');
INSERT OVERWRITE DIRECTORY 'file:///srv/spark/1/rows' USING parquet
SELECT 0 AS model, pos, line, CAST(odd AS INT) AS odd, plain,
  if(plain, concat(if(f[2] <> '', array(named_struct('bucket', 0, 'key', encode(concat('private/', f[4], '/', f[2]), 'ISO-8859-1'), 'form', 0 + CAST(2 * least(3, length(f[2]) - length(replace(f[2], '/', ''))) + if(right(f[2], 6) RLIKE '[.][^./]{1,5}\\z', 1, 0) AS INT), 'value', xxhash64('value', 0, f[2]))), array()),
    transform(filter(regexp_extract_all(f[3], '"([^"]*)"', 1), v -> v <> ''), v -> named_struct('bucket', 0, 'key', encode(v, 'ISO-8859-1'), 'form', 8 + CAST(2 * least(3, length(v) - length(replace(v, '/', ''))) + if(right(v, 6) RLIKE '[.][^./]{1,5}\\z', 1, 0) AS INT), 'value', xxhash64('value', 0, v)))), array()) AS refs,
  if(plain, array(f[0], f[1], f[3], f[4], f[5], f[6], f[7], f[8]), NULL) AS texts,
  if(plain, xxhash64('owner', 0, lower(regexp_replace(concat(f[0], f[1]), '[^A-Za-z1-9]+', ''))), NULL) AS owner,
  if(plain, f[6], NULL) AS changed,
  if(plain, f[4], NULL) AS identity
FROM (SELECT *, coalesce(size(f) = 9
    AND f[0] <> '' AND f[0] RLIKE '^[\\x20-\\x7e]*+\\z'
    AND f[1] <> '' AND f[1] RLIKE '^[\\x20-\\x7e]*+\\z'
    AND f[7] RLIKE '^[0-9]{0,18}\\z'
    AND f[8] IN ('', '0', 'false')
    AND (f[6] = '' OR f[6] RLIKE '^1[0-9]{9}(?:[0-9]{3})?\\z' OR f[6] RLIKE '^[0-9]{4}-(?:(?:0[1-9]|1[0-2])-(?:0[1-9]|1[0-9]|2[0-8])|(?:0[13-9]|1[0-2])-(?:29|30)|(?:0[13578]|1[02])-31)T(?:[01][0-9]|2[0-3])(?::[0-5][0-9]){2}(?:[.][0-9]{3})?Z\\z')
    AND f[4] RLIKE '^[\\x20-\\x7e]*+\\z' AND NOT contains(f[4], '/')
    AND (f[2] = '' OR length(f[2]) BETWEEN 1 AND 1024 AND left(f[2], 1) NOT IN ('/', '[', '{') AND f[4] <> '')
    AND (f[3] = '' OR f[3] RLIKE '^ *+\\[ *+(?:\\]|"[^"\\\\\\x80-\\xff]*+"(?: *+, *+"[^"\\\\\\x80-\\xff]*+")*+ *+\\])\\z' AND forall(regexp_extract_all(f[3], '"([^"]*)"', 1), v -> v = '' OR length(v) BETWEEN 1 AND 1024 AND left(v, 1) NOT IN ('/', '[', '{'))), false) AS plain FROM fields_r0)
UNION ALL
SELECT 2 AS model, pos, line, CAST(odd AS INT) AS odd, plain,
  if(plain, if(f[1] <> '', array(named_struct('bucket', 1, 'key', encode(concat('public/', f[1]), 'ISO-8859-1'), 'form', 0 + CAST(2 * least(3, length(f[1]) - length(replace(f[1], '/', ''))) + if(right(f[1], 6) RLIKE '[.][^./]{1,5}\\z', 1, 0) AS INT), 'value', xxhash64('value', 0, f[1]))), array()), array()) AS refs,
  if(plain, array(f[0]), NULL) AS texts,
  if(plain, xxhash64('owner', 2, lower(regexp_replace(concat(f[0]), '[^A-Za-z1-9]+', ''))), NULL) AS owner,
  if(plain, '', NULL) AS changed,
  if(plain, '', NULL) AS identity
FROM (SELECT *, coalesce(size(f) = 2
    AND f[0] <> '' AND f[0] RLIKE '^[\\x20-\\x7e]*+\\z'
    AND (f[1] = '' OR length(f[1]) BETWEEN 1 AND 1024 AND left(f[1], 1) NOT IN ('/', '[', '{')), false) AS plain FROM fields_r2);
CREATE OR REPLACE TEMPORARY VIEW rows (model INT, pos BIGINT, line BINARY, odd INT, plain BOOLEAN, refs ARRAY<STRUCT<bucket: INT, key: BINARY, form: INT, value: BIGINT>>, texts ARRAY<STRING>, owner BIGINT, changed STRING, identity STRING)
USING parquet OPTIONS (path 'file:///srv/spark/1/rows');
INSERT OVERWRITE DIRECTORY 'file:///srv/spark/1/objects' USING parquet
SELECT 0 AS bucket, pos, file, line, CAST(odd AS INT) AS odd, plain,
  if(named, encode(k, 'ISO-8859-1'), NULL) AS key,
  if(plain, CAST(n AS BIGINT), 0L) AS size,
  plain AND length(k) <= 1024
    AND NOT k RLIKE '[\\x00-\\x1f\\x7f]'
    AND NOT k RLIKE '(?:^|/)[^/]{23}(?:/|\\z)'
    AND (startswith(k, 'private/') OR startswith(k, decode(X'42c3bc636865722f', 'ISO-8859-1')))
    AND NOT startswith(k, '.mooring/lease')
    AND NOT startswith(k, '.mooring/quarantine/')
    AND NOT startswith(k, '.mooring/store')
    AND NOT startswith(k, decode(X'697427732f', 'ISO-8859-1'))
    AND NOT startswith(k, 'static/') AS counts
FROM (SELECT *, plain AS named FROM (
  SELECT pos, file, line, odd, f, f[0] AS k, f[1] AS n,
    coalesce(size(f) = 4 AND f[0] <> '' AND f[1] RLIKE '^[0-9]{1,18}\\z' AND (f[2] RLIKE '^[0-9]{4}-(?:(?:0[1-9]|1[0-2])-(?:0[1-9]|1[0-9]|2[0-8])|(?:0[13-9]|1[0-2])-(?:29|30)|(?:0[13578]|1[02])-31)T(?:[01][0-9]|2[0-3])(?::[0-5][0-9]){2}(?:[.][0-9]{3})?Z\\z' OR f[2] RLIKE '^1[0-9]{9}(?:[0-9]{3})?\\z'), false) AS plain FROM fields_o0))
UNION ALL
SELECT 1 AS bucket, pos, file, line, CAST(odd AS INT) AS odd, plain,
  if(named, encode(k, 'ISO-8859-1'), NULL) AS key,
  if(plain, CAST(n AS BIGINT), 0L) AS size,
  plain AND length(k) <= 1024
    AND NOT k RLIKE '[\\x00-\\x1f\\x7f]'
    AND NOT k RLIKE '(?:^|/)[^/]{23}(?:/|\\z)'
    AND NOT startswith(k, '.mooring/lease')
    AND NOT startswith(k, '.mooring/quarantine/')
    AND NOT startswith(k, '.mooring/store') AS counts
FROM (SELECT *, plain AS named FROM (
  SELECT pos, file, line, odd, f, f[1] AS k, f[2] AS n,
    coalesce(size(f) = 3 AND f[1] <> '' AND f[2] RLIKE '^[0-9]{1,18}\\z' AND (f[0] RLIKE '^[0-9]{4}-(?:(?:0[1-9]|1[0-2])-(?:0[1-9]|1[0-9]|2[0-8])|(?:0[13-9]|1[0-2])-(?:29|30)|(?:0[13578]|1[02])-31)T(?:[01][0-9]|2[0-3])(?::[0-5][0-9]){2}(?:[.][0-9]{3})?Z\\z' OR f[0] RLIKE '^1[0-9]{9}(?:[0-9]{3})?\\z'), false) AS plain FROM fields_o1));
CREATE OR REPLACE TEMPORARY VIEW objects (bucket INT, pos BIGINT, file STRING, line BINARY, odd INT, plain BOOLEAN, key BINARY, size BIGINT, counts BOOLEAN)
USING parquet OPTIONS (path 'file:///srv/spark/1/objects');
CREATE OR REPLACE TEMPORARY VIEW sound_rows AS
SELECT model FROM rows GROUP BY model HAVING max(odd) = 0;
CREATE OR REPLACE TEMPORARY VIEW sound_objects AS
SELECT bucket FROM objects GROUP BY bucket HAVING max(odd) = 0;
INSERT OVERWRITE DIRECTORY 'file:///srv/spark/1/boring' USING parquet
SELECT bucket, key, max(place) AS place, max(size) AS size, max(model) AS model,
  max(pos) AS pos FROM (
  SELECT /*+ BROADCAST(s) */ bucket, key, 1 AS listed, 0 AS meant, pos AS place,
    if(counts, size, 0L) AS size, -1 AS model, -1L AS pos
  FROM objects LEFT SEMI JOIN sound_objects s USING (bucket) WHERE key IS NOT NULL
  UNION ALL
  SELECT /*+ BROADCAST(s) */ r.bucket, r.key, 0 AS listed, 1 AS meant,
    -1L AS place, 0L AS size, model, pos
  FROM rows LEFT SEMI JOIN sound_rows s USING (model)
  LATERAL VIEW explode(refs) AS r WHERE plain
) GROUP BY xxhash64(key), bucket, key
HAVING sum(listed) = 1 AND sum(meant) = 1 AND max(size) > 0;
CREATE OR REPLACE TEMPORARY VIEW boring (bucket INT, key BINARY, place BIGINT, size BIGINT, model INT, pos BIGINT)
USING parquet OPTIONS (path 'file:///srv/spark/1/boring');
INSERT OVERWRITE DIRECTORY 'file:///srv/spark/1/closed' USING parquet
SELECT /*+ BROADCAST(s) */ r.model, r.pos, r.refs.form AS forms, r.changed, r.identity
FROM rows r LEFT SEMI JOIN sound_rows s ON r.model = s.model
LEFT JOIN (SELECT model, pos, count(*) AS n FROM boring GROUP BY model, pos) b
  ON r.model = b.model AND r.pos = b.pos
WHERE r.plain AND size(r.refs) = coalesce(b.n, 0);
CREATE OR REPLACE TEMPORARY VIEW closed (model INT, pos BIGINT, forms ARRAY<INT>, changed STRING, identity STRING)
USING parquet OPTIONS (path 'file:///srv/spark/1/closed');
INSERT OVERWRITE DIRECTORY 'file:///srv/spark/1/gone' USING parquet
SELECT g.* FROM boring g LEFT SEMI JOIN closed c ON g.model = c.model AND g.pos = c.pos;
CREATE OR REPLACE TEMPORARY VIEW gone (bucket INT, key BINARY, place BIGINT, size BIGINT, model INT, pos BIGINT)
USING parquet OPTIONS (path 'file:///srv/spark/1/gone');
INSERT OVERWRITE DIRECTORY 'file:///srv/spark/1/new_rows' USING parquet
SELECT r.model, r.pos FROM rows r LEFT ANTI JOIN closed c ON r.model = c.model AND r.pos = c.pos;
CREATE OR REPLACE TEMPORARY VIEW new_rows (model INT, pos BIGINT)
USING parquet OPTIONS (path 'file:///srv/spark/1/new_rows');
INSERT OVERWRITE DIRECTORY 'file:///srv/spark/1/new_objects' USING parquet
SELECT o.bucket, o.pos FROM objects o LEFT ANTI JOIN gone g ON o.bucket = g.bucket AND o.pos = g.place;
CREATE OR REPLACE TEMPORARY VIEW new_objects (bucket INT, pos BIGINT)
USING parquet OPTIONS (path 'file:///srv/spark/1/new_objects');
INSERT OVERWRITE DIRECTORY 'file:///srv/spark/1/kept_rows' USING parquet
SELECT r.model, r.pos, r.line FROM rows r LEFT SEMI JOIN new_rows n ON r.model = n.model AND r.pos = n.pos;
CREATE OR REPLACE TEMPORARY VIEW kept_rows (model INT, pos BIGINT, line BINARY)
USING parquet OPTIONS (path 'file:///srv/spark/1/kept_rows');
INSERT OVERWRITE DIRECTORY 'file:///srv/spark/1/kept_objects' USING parquet
SELECT o.bucket, o.pos, o.file, o.line FROM objects o LEFT SEMI JOIN new_objects n ON o.bucket = n.bucket AND o.pos = n.pos;
CREATE OR REPLACE TEMPORARY VIEW kept_objects (bucket INT, pos BIGINT, file STRING, line BINARY)
USING parquet OPTIONS (path 'file:///srv/spark/1/kept_objects');
INSERT OVERWRITE DIRECTORY 'file:///srv/spark/1/handed-records' USING text OPTIONS (compression 'none')
SELECT concat_ws(' ', model, hex(line)) FROM kept_rows ORDER BY model, pos;
INSERT OVERWRITE DIRECTORY 'file:///srv/spark/1/handed-objects' USING text OPTIONS (compression 'none')
SELECT concat_ws(' ', bucket, hex(line)) FROM kept_objects ORDER BY bucket, file, pos;
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
SELECT concat_ws(' ', 'lines', 2, coalesce(sum(length(line)), 0), count(*)) AS value FROM lines_r2
UNION ALL
SELECT concat_ws(' ', 'files', 2, '0', concat(length, '@', unix_seconds(modificationTime))) AS value FROM files_r2
UNION ALL
SELECT concat_ws(' ', 'listed', 0, coalesce(sum(length(line)), 0), count(*)) AS value FROM lines_o0
UNION ALL
SELECT concat_ws(' ', 'listings', 0, '0', concat(length, '@', unix_seconds(modificationTime))) AS value FROM files_o0
UNION ALL
SELECT concat_ws(' ', 'listed', 1, coalesce(sum(length(line)), 0), count(*)) AS value FROM lines_o1
UNION ALL
SELECT concat_ws(' ', 'listings', 1, '0', concat(length, '@', unix_seconds(modificationTime))) AS value FROM files_o1;
CREATE OR REPLACE TEMPORARY VIEW facts (value STRING)
USING text OPTIONS (path 'file:///srv/spark/1/facts');
INSERT OVERWRITE DIRECTORY 'file:///srv/spark/1/done' USING text OPTIONS (compression 'none')
SELECT concat('facts ', count(*)) FROM facts;
