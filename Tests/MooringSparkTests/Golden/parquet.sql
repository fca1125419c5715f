CREATE OR REPLACE TEMPORARY VIEW columns_o1 (bucket BINARY, key BINARY, version_id BINARY, is_latest BOOLEAN, is_delete_marker BOOLEAN, size BIGINT, last_modified_date TIMESTAMP, e_tag BINARY, is_multipart_uploaded BOOLEAN)
USING parquet OPTIONS (path 'file:///data/it\'s/{b,a}');
CREATE OR REPLACE TEMPORARY VIEW fields_o1 AS
SELECT pos, file, 0 AS odd, f, encode(concat_ws(',',
    transform(f, x -> concat('"', replace(x, '"', '""'), '"'))), 'ISO-8859-1') AS line
FROM (SELECT monotonically_increasing_id() AS pos, substring_index(input_file_name(), '/', -1) AS file,
  array(coalesce(decode(bucket, 'ISO-8859-1'), ''),
    coalesce(if(decode(key, 'ISO-8859-1') RLIKE '^[!#-$&-*,-~]*+\\z', decode(key, 'ISO-8859-1'), regexp_replace(hex(key), '(..)', '%$1')), ''),
    coalesce(decode(version_id, 'ISO-8859-1'), ''),
    coalesce(CAST(is_latest AS STRING), ''),
    coalesce(CAST(is_delete_marker AS STRING), ''),
    coalesce(CAST(size AS STRING), ''),
    coalesce(concat(regexp_replace(date_format(last_modified_date, 'yyyy-MM-dd\'T\'HH:mm:ss.SSSSSS'), '000\\z', ''), 'Z'), ''),
    coalesce(decode(e_tag, 'ISO-8859-1'), ''),
    coalesce(CAST(is_multipart_uploaded AS STRING), '')) AS f
  FROM columns_o1);
CREATE OR REPLACE TEMPORARY VIEW files_o1 USING binaryFile
OPTIONS (path 'file:///data/it\'s/{b,a}');
INSERT OVERWRITE DIRECTORY 'file:///srv/spark/1/rows' USING parquet
SELECT 0 AS model, 0L AS pos, X'' AS line, 0 AS odd, false AS plain,
  CAST(array() AS ARRAY<STRUCT<bucket: INT, key: BINARY, form: INT, value: BIGINT>>) AS refs, CAST(array() AS ARRAY<STRING>) AS texts,
  0L AS owner, '' AS changed, '' AS identity WHERE false;
CREATE OR REPLACE TEMPORARY VIEW rows (model INT, pos BIGINT, line BINARY, odd INT, plain BOOLEAN, refs ARRAY<STRUCT<bucket: INT, key: BINARY, form: INT, value: BIGINT>>, texts ARRAY<STRING>, owner BIGINT, changed STRING, identity STRING)
USING parquet OPTIONS (path 'file:///srv/spark/1/rows');
INSERT OVERWRITE DIRECTORY 'file:///srv/spark/1/objects' USING parquet
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
    coalesce(size(f) = 9
      AND f[1] RLIKE '^(?:[!-$&-~]|%[0-9A-Fa-f]{2})++\\z'
      AND f[5] RLIKE '^[0-9]{1,18}\\z'
      AND f[6] RLIKE '^[0-9]{4}-(?:(?:0[1-9]|1[0-2])-(?:0[1-9]|1[0-9]|2[0-8])|(?:0[13-9]|1[0-2])-(?:29|30)|(?:0[13578]|1[02])-31)T(?:[01][0-9]|2[0-3])(?::[0-5][0-9]){2}(?:[.][0-9]{3})?Z\\z'
      AND f[0] = decode(X'69742773', 'ISO-8859-1')
      AND f[3] = 'true'
      AND f[4] = 'false'
      AND f[8] IN ('', 'true', 'false'), false) AS plain FROM fields_o1));
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
SELECT concat_ws(' ', 'listed', 1, 0, count(*)) AS value FROM columns_o1
UNION ALL
SELECT concat_ws(' ', 'listings', 1, substring_index(path, '/', -1), concat(length, '@', unix_seconds(modificationTime))) AS value FROM files_o1;
