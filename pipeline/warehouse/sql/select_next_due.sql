SELECT min(s.next_due_at) AS next_due_at
FROM pages p JOIN page_state s USING (page_id)
WHERE p.active;
