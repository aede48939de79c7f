-- State of the pages in `batch` as this run claimed them, with the instant of their last visit, and since when and how often
-- without a break they were not found.
SELECT p.page_id, p.page_name, p.site, p.url, p.rules_id, s.* EXCLUDE (page_id),
       (SELECT max(v.visited_at) FROM visits v WHERE v.page_id = p.page_id) AS last_visited_at,
       m.missing_visits, m.missing_since
FROM page_state s
JOIN pages p USING (page_id)
JOIN batch b USING (page_id)
LEFT JOIN (
    SELECT v.page_id, count(*) AS missing_visits, min(v.visited_at) AS missing_since
    FROM visits v JOIN batch USING (page_id)
    WHERE v.outcome_reason = 'http_404'
      AND NOT EXISTS (FROM visits w WHERE w.page_id = v.page_id AND w.visit_no > v.visit_no
                      AND w.outcome_reason IS DISTINCT FROM 'http_404')
    GROUP BY v.page_id) m ON m.page_id = s.page_id
WHERE s.claimed_by = $run_id;
