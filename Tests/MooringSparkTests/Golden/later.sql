CREATE OR REPLACE TEMPORARY VIEW rows (model INT, pos BIGINT, line BINARY, odd INT, plain BOOLEAN, refs ARRAY<STRUCT<bucket: INT, key: BINARY, form: INT, value: BIGINT>>, texts ARRAY<STRING>, owner BIGINT, changed STRING, identity STRING)
USING parquet OPTIONS (path 'file:///srv/spark/1/rows');
CREATE OR REPLACE TEMPORARY VIEW objects (bucket INT, pos BIGINT, file STRING, line BINARY, odd INT, plain BOOLEAN, key BINARY, size BIGINT, counts BOOLEAN)
USING parquet OPTIONS (path 'file:///srv/spark/1/objects');
CREATE OR REPLACE TEMPORARY VIEW closed (model INT, pos BIGINT, forms ARRAY<INT>, changed STRING, identity STRING)
USING parquet OPTIONS (path 'file:///srv/spark/1/closed');
CREATE OR REPLACE TEMPORARY VIEW gone (bucket INT, key BINARY, place BIGINT, size BIGINT, model INT, pos BIGINT)
USING parquet OPTIONS (path 'file:///srv/spark/1/gone');
CREATE OR REPLACE TEMPORARY VIEW kept_rows (model INT, pos BIGINT, line BINARY)
USING parquet OPTIONS (path 'file:///srv/spark/1/kept_rows');
CREATE OR REPLACE TEMPORARY VIEW kept_objects (bucket INT, pos BIGINT, file STRING, line BINARY)
USING parquet OPTIONS (path 'file:///srv/spark/1/kept_objects');
CREATE OR REPLACE TEMPORARY VIEW need_lines (value STRING)
USING text OPTIONS (path 'file:///srv/spark/needs-2');
CREATE OR REPLACE TEMPORARY VIEW needs AS
SELECT *, xxhash64(kind, if(kind IN ('key', 'owner'), number, 0), text) AS need FROM (
  SELECT w[0] AS kind, CAST(w[1] AS INT) AS number, CAST(w[2] AS BIGINT) AS enough,
    decode(unhex(w[3]), 'ISO-8859-1') AS text FROM (
    SELECT split(value, ' ', -1) AS w FROM need_lines));
CREATE OR REPLACE TEMPORARY VIEW keys AS
SELECT model, pos, bucket, decode(key, 'ISO-8859-1') AS k FROM gone;
CREATE OR REPLACE TEMPORARY VIEW texts AS
SELECT model, pos, t FROM rows LATERAL VIEW explode(texts) AS t;
INSERT OVERWRITE DIRECTORY 'file:///srv/spark/2/met' USING parquet
SELECT DISTINCT model, pos FROM (
SELECT /*+ BROADCAST(n, o) */ p.model, p.pos FROM (
SELECT model, pos, need, need AS other FROM rows
  LATERAL VIEW explode(concat(refs.value, array(owner))) AS need WHERE plain
UNION ALL
SELECT model, pos, need, need AS other FROM (
  SELECT model, pos, xxhash64('token', 0, w) AS need FROM (
    SELECT model, pos, explode(flatten(transform(split(t, '[^0-9A-Za-z_.-]+'),
      x -> array(x, regexp_replace(x, '[.]\\z', ''))))) AS w FROM texts))
UNION ALL
SELECT model, pos, need, coalesce(other, need) AS other FROM (
  SELECT *, lower(regexp_replace(s, '[^A-Za-z0-9]+', '')) AS c FROM (
  SELECT *, if(contains(right(n, 6), '.'), regexp_replace(n,
    '(?<=(?s:.))[.][A-Za-z0-9]{1,5}\\z', ''), n) AS s FROM (SELECT *, substring_index(k, '/', -1) AS n FROM keys))
) LATERAL VIEW inline(array(struct(xxhash64('key', bucket, k), CAST(NULL AS BIGINT)),
  struct(xxhash64('tail', 0, lower(n)), CAST(NULL AS BIGINT)),
  struct(xxhash64('name', 0, if(c = '', s, c)), CAST(NULL AS BIGINT)),
  struct(xxhash64('ending', 0, right(k, 8)), xxhash64('ending', 0, if(length(n) < 8, right(k, 8), left(n, 8)))))) AS need, other
UNION ALL
SELECT model, pos, need, need AS other FROM (
  SELECT model, pos, xxhash64('part', 0, w) AS need FROM (
    SELECT model, pos, explode(filter(transform(sequence(1, 7),
      i -> if(length(k) = i OR substring(right(k, i + 1), 1, 1) = '/',
        right(k, i), NULL)), w -> w IS NOT NULL)) AS w
    FROM keys WHERE length(k) < 8 OR contains(right(k, 8), '/')))
) p LEFT SEMI JOIN needs n ON p.need = n.need
LEFT SEMI JOIN needs o ON p.other = o.need
UNION ALL
SELECT model, pos FROM (SELECT /*+ BROADCAST(n) */ p.model, p.pos, n.number, n.text, n.enough FROM (
  SELECT model, pos, bucket, left(k, l) AS h FROM keys
  LATERAL VIEW explode(array(4, 7)) AS l
) p JOIN needs n ON n.kind = 'head' AND n.number = p.bucket AND n.text = p.h) WHERE enough < 0
UNION ALL
SELECT model, pos FROM (
  SELECT model, pos, enough, row_number() OVER (
    PARTITION BY number, text ORDER BY model, pos) AS place
  FROM (SELECT /*+ BROADCAST(n) */ p.model, p.pos, n.number, n.text, n.enough FROM (
  SELECT model, pos, bucket, left(k, l) AS h FROM keys
  LATERAL VIEW explode(array(4, 7)) AS l
) p JOIN needs n ON n.kind = 'head' AND n.number = p.bucket AND n.text = p.h) WHERE enough >= 0
) WHERE place <= 7 AND place <= enough
UNION ALL
SELECT /*+ BROADCAST(n) */ p.model, p.pos FROM (
SELECT model, pos, t, explode(regexp_extract_all(t, '(?s)(?=([\\x65].{7}))', 1)) AS w
FROM texts WHERE length(t) >= 8
) p JOIN needs n ON n.kind = 'text'
  AND substring(n.text, n.number + 1, 8) = p.w AND contains(p.t, n.text)
UNION ALL
SELECT model, pos FROM texts WHERE t RLIKE '[%+\\\\&]|""|\'\''
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
SELECT model, pos FROM (SELECT *, substring_index(k, '/', -1) AS n FROM keys)
WHERE n = '' OR n RLIKE '[^\\x20-\\x7e]|[%+]'
  OR substring(k, length(k) - length(n) - 1, 1) RLIKE '[\\x80-\\xff]');
CREATE OR REPLACE TEMPORARY VIEW met (model INT, pos BIGINT)
USING parquet OPTIONS (path 'file:///srv/spark/2/met');
INSERT OVERWRITE DIRECTORY 'file:///srv/spark/2/new_rows' USING parquet
SELECT g.model, g.pos FROM closed g LEFT SEMI JOIN met m ON g.model = m.model AND g.pos = m.pos;
CREATE OR REPLACE TEMPORARY VIEW new_rows (model INT, pos BIGINT)
USING parquet OPTIONS (path 'file:///srv/spark/2/new_rows');
INSERT OVERWRITE DIRECTORY 'file:///srv/spark/2/new_objects' USING parquet
SELECT g.bucket, g.place AS pos FROM gone g LEFT SEMI JOIN met m ON g.model = m.model AND g.pos = m.pos;
CREATE OR REPLACE TEMPORARY VIEW new_objects (bucket INT, pos BIGINT)
USING parquet OPTIONS (path 'file:///srv/spark/2/new_objects');
INSERT OVERWRITE DIRECTORY 'file:///srv/spark/2/closed' USING parquet
SELECT g.* FROM closed g LEFT ANTI JOIN met m ON g.model = m.model AND g.pos = m.pos;
CREATE OR REPLACE TEMPORARY VIEW closed (model INT, pos BIGINT, forms ARRAY<INT>, changed STRING, identity STRING)
USING parquet OPTIONS (path 'file:///srv/spark/2/closed');
INSERT OVERWRITE DIRECTORY 'file:///srv/spark/2/gone' USING parquet
SELECT g.* FROM gone g LEFT ANTI JOIN met m ON g.model = m.model AND g.pos = m.pos;
CREATE OR REPLACE TEMPORARY VIEW gone (bucket INT, key BINARY, place BIGINT, size BIGINT, model INT, pos BIGINT)
USING parquet OPTIONS (path 'file:///srv/spark/2/gone');
INSERT OVERWRITE DIRECTORY 'file:///srv/spark/2/kept_rows' USING parquet
SELECT r.model, r.pos, r.line FROM rows r LEFT SEMI JOIN new_rows n ON r.model = n.model AND r.pos = n.pos
UNION ALL SELECT * FROM kept_rows;
CREATE OR REPLACE TEMPORARY VIEW kept_rows (model INT, pos BIGINT, line BINARY)
USING parquet OPTIONS (path 'file:///srv/spark/2/kept_rows');
INSERT OVERWRITE DIRECTORY 'file:///srv/spark/2/kept_objects' USING parquet
SELECT o.bucket, o.pos, o.file, o.line FROM objects o LEFT SEMI JOIN new_objects n ON o.bucket = n.bucket AND o.pos = n.pos
UNION ALL SELECT * FROM kept_objects;
CREATE OR REPLACE TEMPORARY VIEW kept_objects (bucket INT, pos BIGINT, file STRING, line BINARY)
USING parquet OPTIONS (path 'file:///srv/spark/2/kept_objects');
INSERT OVERWRITE DIRECTORY 'file:///srv/spark/2/handed-records' USING text OPTIONS (compression 'none')
SELECT concat_ws(' ', model, hex(line)) FROM kept_rows ORDER BY model, pos;
INSERT OVERWRITE DIRECTORY 'file:///srv/spark/2/handed-objects' USING text OPTIONS (compression 'none')
SELECT concat_ws(' ', bucket, hex(line)) FROM kept_objects ORDER BY bucket, file, pos;
INSERT OVERWRITE DIRECTORY 'file:///srv/spark/2/facts' USING text OPTIONS (compression 'none')
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
SELECT concat_ws(' ', 'needs', 0, coalesce(sum(length(value)), 0), count(*)) AS value FROM need_lines;
CREATE OR REPLACE TEMPORARY VIEW facts (value STRING)
USING text OPTIONS (path 'file:///srv/spark/2/facts');
INSERT OVERWRITE DIRECTORY 'file:///srv/spark/2/done' USING text OPTIONS (compression 'none')
SELECT concat('facts ', count(*)) FROM facts;
