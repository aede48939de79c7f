-- What one run did: its own visits, and earlier ones whose waiting judgement it closed or that joined a site event.
WITH touched AS (
    SELECT page_id, visit_no, bool_or(visited) AS visited
    FROM (SELECT v.page_id, v.visit_no, TRUE AS visited FROM visits v JOIN commits c USING (commit_no) WHERE c.run_id = $run_id
          UNION ALL
          SELECT j.page_id, j.visit_no, FALSE FROM judgements j JOIN commits c USING (commit_no)
          WHERE c.run_id = $run_id AND j.set_id = 0)
    GROUP BY page_id, visit_no
)
SELECT r.*, t.visited, s.next_due_at, s.next_purpose, e.page_count AS group_pages
FROM touched t
JOIN visit_results r ON r.page_id = t.page_id AND r.visit_no = t.visit_no
JOIN page_state s ON s.page_id = t.page_id
LEFT JOIN site_events e ON e.group_id = r.group_id
ORDER BY r.page_id, r.visit_no;
