-- First: how many objects, and 'taken:' of the listing.
SELECT count_if(NOT gone) AS objects,
  date_format(max(newest), '%Y-%m-%dT%H:%i:%sZ') AS newest,
  date_format(least(max(newest), max(asked)) - INTERVAL '1' HOUR, '%Y-%m-%dT%H:%i:%sZ') AS taken
FROM (
SELECT max(last_modified_date) AS newest,
  coalesce(max_by(is_delete_marker, sequence_number), false) AS gone,
  CAST(current_timestamp AT TIME ZONE 'UTC' AS timestamp) AS asked
FROM "s3tablescatalog/aws-s3"."b_my_store"."inventory"
WHERE bucket = 'my.store'
  AND (starts_with(key, 'it''s/')
    OR starts_with(key, 'public/')
    OR starts_with(key, from_utf8(X'c3a92f')))
GROUP BY key);

-- Then: the listing.
SELECT to_base64(to_utf8(key)) AS "keyBase64",
  max_by(size, sequence_number) AS "size",
  if(count(last_modified_date) = count(*),
    date_format(max(last_modified_date), '%Y-%m-%dT%H:%i:%sZ')) AS "lastModified",
  max_by(e_tag, sequence_number) AS "etag"
FROM "s3tablescatalog/aws-s3"."b_my_store"."inventory"
WHERE bucket = 'my.store'
  AND (starts_with(key, 'it''s/')
    OR starts_with(key, 'public/')
    OR starts_with(key, from_utf8(X'c3a92f')))
GROUP BY key
HAVING NOT coalesce(max_by(is_delete_marker, sequence_number), false);
