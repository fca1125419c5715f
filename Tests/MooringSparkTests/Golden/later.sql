CREATE OR REPLACE TEMPORARY VIEW rows (model INT, pos BIGINT, line BINARY, odd INT, plain BOOLEAN, refs ARRAY<STRUCT<field: INT, bucket: INT, value: STRING, key: STRING>>, texts ARRAY<STRING>, owner STRING, changed STRING, identity STRING)
USING parquet OPTIONS (path 'file:///srv/spark/1/rows');
CREATE OR REPLACE TEMPORARY VIEW objects (bucket INT, pos BIGINT, file STRING, line BINARY, odd INT, plain BOOLEAN, key BINARY, size BIGINT, counts BOOLEAN)
USING parquet OPTIONS (path 'file:///srv/spark/1/objects');
CREATE OR REPLACE TEMPORARY VIEW closed (model INT, pos BIGINT, refs ARRAY<STRUCT<field: INT, bucket: INT, value: STRING, key: STRING>>, texts ARRAY<STRING>, owner STRING, changed STRING, identity STRING)
USING parquet OPTIONS (path 'file:///srv/spark/1/closed');
CREATE OR REPLACE TEMPORARY VIEW gone (bucket INT, key BINARY, size BIGINT, model INT, pos BIGINT)
USING parquet OPTIONS (path 'file:///srv/spark/1/gone');
CREATE OR REPLACE TEMPORARY VIEW need_lines (value STRING)
USING text OPTIONS (path 'file:///srv/spark/needs-2');
CREATE OR REPLACE TEMPORARY VIEW needs AS
SELECT w[0] AS kind, CAST(w[1] AS INT) AS number, CAST(w[2] AS BIGINT) AS enough,
  decode(unhex(w[3]), 'ISO-8859-1') AS text FROM (
  SELECT split(value, ' ', -1) AS w FROM need_lines);
CREATE OR REPLACE TEMPORARY VIEW keys AS
SELECT model, pos, bucket, decode(key, 'ISO-8859-1') AS k FROM gone;
CREATE OR REPLACE TEMPORARY VIEW texts AS
SELECT model, pos, t FROM closed LATERAL VIEW explode(texts) AS t;
CREATE OR REPLACE TEMPORARY VIEW met AS
SELECT p.model, p.pos FROM keys p JOIN needs n
  ON n.kind = 'key' AND n.text = p.k AND n.number = p.bucket
UNION ALL
SELECT model, pos FROM (SELECT p.model, p.pos, n.number, n.text, n.enough FROM (
  SELECT model, pos, bucket, left(k, l) AS h FROM keys
  LATERAL VIEW explode(array(4, 7)) AS l
) p JOIN needs n ON n.kind = 'head' AND n.number = p.bucket AND n.text = p.h) WHERE enough < 0
UNION ALL
SELECT model, pos FROM (
  SELECT model, pos, enough, row_number() OVER (
    PARTITION BY number, text ORDER BY model, pos) AS place
  FROM (SELECT p.model, p.pos, n.number, n.text, n.enough FROM (
  SELECT model, pos, bucket, left(k, l) AS h FROM keys
  LATERAL VIEW explode(array(4, 7)) AS l
) p JOIN needs n ON n.kind = 'head' AND n.number = p.bucket AND n.text = p.h) WHERE enough >= 0
) WHERE place <= 7 AND place <= enough
UNION ALL
SELECT p.model, p.pos FROM (SELECT model, pos, r.value AS t FROM closed LATERAL VIEW explode(refs) AS r) p JOIN needs n
  ON n.kind = 'value' AND n.text = p.t AND true
UNION ALL
SELECT p.model, p.pos FROM closed p JOIN needs n
  ON n.kind = 'owner' AND n.text = p.owner AND n.number = p.model
UNION ALL
SELECT p.model, p.pos FROM (
  SELECT model, pos, t, explode(transform(sequence(1, greatest(1, length(t) - 7)),
    i -> substring(t, i, 8))) AS w FROM texts WHERE length(t) >= 8
) p JOIN needs n ON n.kind = 'text'
  AND substring(n.text, n.number + 1, 8) = p.w AND contains(p.t, n.text)
UNION ALL
SELECT model, pos FROM texts WHERE t RLIKE '[%+\\\\&]|""|\'\''
UNION ALL
SELECT p.model, p.pos FROM (SELECT model, pos, explode(flatten(transform(split(t, '[^0-9A-Za-z_.-]+'),
    x -> array(x, regexp_replace(x, '[.]\\z', ''))))) AS w FROM texts) p JOIN needs n
  ON n.kind = 'token' AND n.text = p.w AND true
UNION ALL
SELECT model, pos FROM texts WHERE contains(t, '..')
UNION ALL
SELECT model, pos FROM texts WHERE t RLIKE '[%+\\\\&]|""|\'\''
UNION ALL
SELECT p.model, p.pos FROM texts p JOIN needs n
  ON n.kind = 'short' AND contains(p.t, n.text)
UNION ALL
SELECT model, pos FROM texts WHERE t RLIKE '[%+\\\\&]|""|\'\''
UNION ALL
SELECT p.model, p.pos FROM keys p JOIN needs n
  ON n.kind = 'tail' AND n.text = lower(substring_index(p.k, '/', -1)) AND true
UNION ALL
SELECT model, pos FROM keys
WHERE k RLIKE '(?:[\\x80-\\xff]/[^/]*|[^\\x20-\\x7e][^/]*|[%+][^/]*|/)\\z'
UNION ALL
SELECT p.model, p.pos FROM (SELECT model, pos, if(c = '', s, c) AS w FROM (
  SELECT model, pos, s, lower(regexp_replace(s, '[^A-Za-z0-9]', '')) AS c FROM (
    SELECT model, pos, regexp_replace(substring_index(k, '/', -1),
      '(?<=(?s:.))[.][A-Za-z0-9]{1,5}\\z', '') AS s FROM keys))) p JOIN needs n
  ON n.kind = 'name' AND n.text = p.w AND true
UNION ALL
SELECT p.model, p.pos FROM keys p JOIN needs n
  ON n.kind = 'ending' AND n.text = right(p.k, 8) AND true
LEFT SEMI JOIN needs m ON m.kind = 'ending'
  AND m.text = if(length(substring_index(p.k, '/', -1)) < 8, right(p.k, 8),
    left(substring_index(p.k, '/', -1), 8))
UNION ALL
SELECT p.model, p.pos FROM (SELECT model, pos, explode(filter(transform(sequence(1, 7),
    i -> if(length(k) = i OR substring(right(k, i + 1), 1, 1) = '/',
      right(k, i), NULL)), w -> w IS NOT NULL)) AS w FROM keys) p JOIN needs n
  ON n.kind = 'part' AND n.text = p.w AND true;
INSERT OVERWRITE DIRECTORY 'file:///srv/spark/2/closed' USING parquet
SELECT c.* FROM closed c LEFT ANTI JOIN met m ON c.model = m.model AND c.pos = m.pos;
CREATE OR REPLACE TEMPORARY VIEW closed (model INT, pos BIGINT, refs ARRAY<STRUCT<field: INT, bucket: INT, value: STRING, key: STRING>>, texts ARRAY<STRING>, owner STRING, changed STRING, identity STRING)
USING parquet OPTIONS (path 'file:///srv/spark/2/closed');
INSERT OVERWRITE DIRECTORY 'file:///srv/spark/2/gone' USING parquet
SELECT g.* FROM gone g LEFT SEMI JOIN closed c ON g.model = c.model AND g.pos = c.pos;
CREATE OR REPLACE TEMPORARY VIEW gone (bucket INT, key BINARY, size BIGINT, model INT, pos BIGINT)
USING parquet OPTIONS (path 'file:///srv/spark/2/gone');
INSERT OVERWRITE DIRECTORY 'file:///srv/spark/2/handed-records' USING text
SELECT concat_ws(' ', model, hex(line)) FROM (
  SELECT r.model, r.line, r.pos FROM rows r LEFT ANTI JOIN closed c
    ON r.model = c.model AND r.pos = c.pos
) ORDER BY model, pos;
INSERT OVERWRITE DIRECTORY 'file:///srv/spark/2/handed-objects' USING text
SELECT concat_ws(' ', bucket, hex(line)) FROM (
  SELECT o.bucket, o.line, o.file, o.pos FROM objects o LEFT ANTI JOIN gone g
    ON o.bucket = g.bucket AND o.key = g.key
) ORDER BY bucket, file, pos;
INSERT OVERWRITE DIRECTORY 'file:///srv/spark/2/facts' USING text
SELECT concat_ws(' ', 'closed', model, 0, count(*)) AS value FROM closed GROUP BY model
UNION ALL
SELECT concat_ws(' ', 'gone', bucket, 0, count(*)) AS value FROM gone GROUP BY bucket
UNION ALL
SELECT concat_ws(' ', 'bytes', bucket, 0, sum(size)) AS value FROM gone GROUP BY bucket
UNION ALL
SELECT concat_ws(' ', 'matched', model, bucket, count(*)) AS value FROM gone GROUP BY model, bucket
UNION ALL
SELECT concat_ws(' ', 'references', model, r.field, count(*)) AS value
FROM closed LATERAL VIEW explode(refs) AS r GROUP BY model, r.field
UNION ALL
SELECT concat_ws(' ', 'held', model, field, count(*)) AS value FROM (
  SELECT model, explode(array_distinct(transform(refs, r -> r.field))) AS field
  FROM closed) GROUP BY model, field
UNION ALL
SELECT concat_ws(' ', 'form', model, field, form) AS value FROM (
  SELECT DISTINCT model, r.field, 2 * least(3, length(r.value)
      - length(replace(r.value, '/', '')))
    + if(r.value RLIKE '[.][^./]{1,5}\\z', 1, 0) AS form
  FROM closed LATERAL VIEW explode(refs) AS r)
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
SELECT concat_ws(' ', 'objects', bucket, sum(odd), count(*)) AS value FROM objects GROUP BY bucket;
CREATE OR REPLACE TEMPORARY VIEW facts (value STRING)
USING text OPTIONS (path 'file:///srv/spark/2/facts');
INSERT OVERWRITE DIRECTORY 'file:///srv/spark/2/done' USING text
SELECT concat('facts ', count(*)) FROM facts;
