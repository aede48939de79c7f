-- Site events of the sites in `batch` whose pages' items were closed in favour of an item that is not there yet, or is
-- open and weighs less than one of them.
SELECT r.group_id, r.site, max(r.importance) AS importance, any_value(g.review_id) AS review_id
FROM review_items r
SEMI JOIN batch b ON b.site = r.site
LEFT JOIN review_items g ON g.review_id = 'g' || r.group_id
WHERE r.group_id IS NOT NULL AND r.page_id IS NOT NULL
GROUP BY r.group_id, r.site
HAVING any_value(g.review_id) IS NULL
    OR (any_value(g.closed_at) IS NULL AND max(r.importance) > any_value(g.importance))
ORDER BY r.group_id;
