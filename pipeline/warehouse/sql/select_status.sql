-- Every active page with its last visit and its next one.
SELECT p.site, p.page_name, p.page_type, p.url, s.last_visit_no, s.failure_streak, s.next_due_at, s.next_purpose,
       r.visited_at AS last_visited_at, r.effective_outcome AS outcome, r.outcome_reason, r.kind, r.kind_reason,
       r.quality, r.confirmation, r.also_content, r.group_id, e.page_count AS group_pages,
       CASE WHEN s.moved_visits >= 3 THEN s.moved_to END AS moved_to
FROM pages p
JOIN page_state s ON s.page_id = p.page_id
LEFT JOIN visit_results r ON r.page_id = p.page_id AND r.visit_no = s.last_visit_no
LEFT JOIN site_events e ON e.group_id = r.group_id
WHERE p.active
ORDER BY p.site, p.page_name;
