UPDATE review_items AS r SET importance = b.importance, row_version = r.row_version + 1
FROM batch b
WHERE b.review_id = r.review_id;
