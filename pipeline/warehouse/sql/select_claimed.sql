-- State of the pages in `batch` as this run claimed them, with the instant of their last visit.
SELECT p.page_id, p.page_name, p.site, p.url, p.rules_id, s.* EXCLUDE (page_id),
       (SELECT max(v.visited_at) FROM visits v WHERE v.page_id = p.page_id) AS last_visited_at
FROM page_state s
JOIN pages p USING (page_id)
JOIN batch b USING (page_id)
WHERE s.claimed_by = $run_id;
