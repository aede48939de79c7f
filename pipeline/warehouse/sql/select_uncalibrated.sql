-- Active watched pages with a good visit that have no good calibration fetch, nor any attempt at one since `since`.
SELECT p.site, p.page_name, p.page_id
FROM pages p
JOIN page_state s USING (page_id)
WHERE p.active AND p.page_role = 'watched' AND s.last_good_visit_no IS NOT NULL AND s.failure_streak = 0
  AND NOT EXISTS (
        FROM visits v
        WHERE v.page_id = p.page_id AND v.purpose = 'calibrate'
          AND (v.outcome IN ('ok', 'not_modified') OR v.visited_at > $since))
ORDER BY p.site, p.page_name;
