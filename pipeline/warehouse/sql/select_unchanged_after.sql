-- The first good unchanged visit after each waiting candidate of `batch` (page_id, visit_no).
SELECT v.page_id, v.visit_no, v.body_sha256, v.purpose, v.visited_at
FROM visits v JOIN batch b ON b.page_id = v.page_id AND v.visit_no > b.visit_no
WHERE v.unchanged AND v.outcome IN ('ok', 'not_modified')
QUALIFY row_number() OVER (PARTITION BY v.page_id ORDER BY v.visit_no) = 1;
