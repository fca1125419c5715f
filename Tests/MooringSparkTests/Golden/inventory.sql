CREATE OR REPLACE TEMPORARY VIEW text_o1 USING text
OPTIONS (path 'file:///data/it\'s/{b.csv.gz,a.csv.gz}', lineSep '\n');
CREATE OR REPLACE TEMPORARY VIEW lines_o1 AS
SELECT monotonically_increasing_id() AS pos, substring_index(input_file_name(), '/', -1) AS file,
  CAST(value AS BINARY) AS line
FROM text_o1;
CREATE OR REPLACE TEMPORARY VIEW read_o1 AS
SELECT pos, file, line, s, length(s) - length(replace(s, '"', '')) AS quotes FROM (
  SELECT pos, file, line,
    if(right(d, 1) = chr(13), left(d, length(d) - 1), d) AS s FROM (
    SELECT pos, file, line, decode(line, 'ISO-8859-1') AS d
    FROM lines_o1));
CREATE OR REPLACE TEMPORARY VIEW fields_o1 AS
SELECT pos, file, line, quotes % 2 AS odd, CASE
  WHEN length(s) > 65536 OR quotes > 400 THEN NULL
  WHEN s RLIKE '[\\x00-\\x1f\\x7f]' THEN NULL
  WHEN quotes = 0 THEN split(s, ',', -1)
  WHEN concat(',', s) RLIKE '^(?:,(?:"[^"]*+(?:""[^"]*+)*+"|[^",]*+))*+\\z' THEN transform(regexp_extract_all(concat(',', s), ',("[^"]*+(?:""[^"]*+)*+"|[^",]*+)', 1), x -> if(startswith(x, '"'), replace(substring(x, 2, length(x) - 2), '""', '"'), x))
  END AS f
FROM read_o1;
CREATE OR REPLACE TEMPORARY VIEW files_o1 USING binaryFile
OPTIONS (path 'file:///data/it\'s/{b.csv.gz,a.csv.gz}');
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
FROM (SELECT *, NOT (f[3] <=> 'false') AS named FROM (
  SELECT pos, file, line, odd, f, CASE WHEN NOT f[1] RLIKE '^(?:[!-$&-~]|%[0-9A-Fa-f]{2})++\\z' THEN NULL
      WHEN f[1] RLIKE '[%+]' THEN decode(unhex(array_join(transform(regexp_extract_all(f[1], '(%..|[^%]++)', 1), x -> if(startswith(x, '%'), substring(x, 2), hex(encode(replace(x, '+', ' '), 'ISO-8859-1')))), '')), 'ISO-8859-1') ELSE f[1] END AS k, f[5] AS n,
    coalesce(size(f) = 8
      AND f[1] RLIKE '^(?:[!-$&-~]|%[0-9A-Fa-f]{2})++\\z'
      AND f[5] RLIKE '^[0-9]{1,18}\\z'
      AND f[6] RLIKE '^[0-9]{4}-(?:(?:0[1-9]|1[0-2])-(?:0[1-9]|1[0-9]|2[0-8])|(?:0[13-9]|1[0-2])-(?:29|30)|(?:0[13578]|1[02])-31)T(?:[01][0-9]|2[0-3])(?::[0-5][0-9]){2}(?:[.][0-9]{3})?Z\\z'
      AND f[0] = decode(X'69742773', 'ISO-8859-1')
      AND f[3] = 'true'
      AND f[4] = 'false'
      AND f[7] IN ('', 'true', 'false'), false) AS plain FROM fields_o1));
INSERT OVERWRITE DIRECTORY 'file:///srv/spark/1/handed-objects' USING text OPTIONS (compression 'none')
SELECT concat_ws(' ', bucket, hex(line)) FROM kept_objects ORDER BY bucket, CASE bucket WHEN 1 THEN array_position(array('b.csv.gz', 'a.csv.gz'), file) ELSE 0 END, pos;
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
SELECT concat_ws(' ', 'listings', 1, substring_index(path, '/', -1), concat(length, '@', unix_seconds(modificationTime))) AS value FROM files_o1;
