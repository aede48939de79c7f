-- Items in `batch` are closed in favour of the item of their site event.
UPDATE review_items AS r SET group_id = b.group_id, closed_at = $now, row_version = r.row_version + 1
FROM batch b
WHERE b.review_id = r.review_id;
