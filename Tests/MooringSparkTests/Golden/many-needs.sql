CREATE OR REPLACE TEMPORARY VIEW sieve AS
SELECT word, bit_or(bit) AS bits FROM (
  SELECT shiftright(need & 67108863, 6) AS word, shiftleft(1L, CAST(need & 63 AS INT)) AS bit FROM (SELECT need FROM needs)
) GROUP BY word;
CREATE OR REPLACE TEMPORARY VIEW windows AS
SELECT word, bit_or(bit) AS bits FROM (
  SELECT shiftright(need & 67108863, 6) AS word, shiftleft(1L, CAST(need & 63 AS INT)) AS bit FROM (SELECT xxhash64(substring(text, number + 1, 8)) AS need FROM needs WHERE kind = 'text')
) GROUP BY word;
INSERT OVERWRITE DIRECTORY 'file:///srv/spark/2/met' USING parquet
SELECT DISTINCT model, pos FROM (
SELECT p.model, p.pos FROM (
SELECT /*+ BROADCAST(s, t) */ p.* FROM (
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
) p LEFT SEMI JOIN sieve s ON shiftright(p.need & 67108863, 6) = s.word AND (s.bits & shiftleft(1L, CAST(p.need & 63 AS INT))) <> 0L
LEFT SEMI JOIN sieve t ON shiftright(p.other & 67108863, 6) = t.word AND (t.bits & shiftleft(1L, CAST(p.other & 63 AS INT))) <> 0L
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
SELECT /*+ BROADCAST(s) */ p.* FROM (
  SELECT *, xxhash64(w) AS need FROM (SELECT model, pos, t, explode(regexp_extract_all(t, '(?s)(?=([\\x65].{7}))', 1)) AS w
FROM texts WHERE length(t) >= 8)
) p LEFT SEMI JOIN windows s ON shiftright(p.need & 67108863, 6) = s.word AND (s.bits & shiftleft(1L, CAST(p.need & 63 AS INT))) <> 0L
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
