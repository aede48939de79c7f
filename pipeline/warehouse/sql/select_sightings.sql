-- Sightings that share a text of `batch` (site, text), and those that share a text with them: enough to tell for the
-- first, which are `near`, to which events all their texts belong.
WITH told AS (
    SELECT site, page_id, visit_no, unnest(list_concat(shown, needed)) AS text
    FROM sightings SEMI JOIN batch USING (site)
),
one AS (
    SELECT DISTINCT page_id, visit_no FROM told SEMI JOIN batch USING (site, text)
),
theirs AS (
    SELECT DISTINCT site, text FROM told SEMI JOIN one USING (page_id, visit_no)
),
two AS (
    SELECT DISTINCT page_id, visit_no FROM told SEMI JOIN theirs USING (site, text)
)
SELECT s.*, one.page_id IS NOT NULL AS near
FROM sightings s
JOIN two ON two.page_id = s.page_id AND two.visit_no = s.visit_no
LEFT JOIN one ON one.page_id = s.page_id AND one.visit_no = s.visit_no
ORDER BY s.page_id, s.visit_no;
