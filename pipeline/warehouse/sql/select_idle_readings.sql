-- Readings of pages that nothing reads on: their site or page was removed. Should the page come back, they are made again
-- from the stored body.
SELECT r.page_id, r.visit_no, r.rules_id
FROM readings r JOIN pages p USING (page_id)
WHERE NOT p.active AND p.removed_at < $before
LIMIT $limit;
