-- Sites with at least one page due that no run holds.
SELECT p.site, count(*) AS due_count, min(s.next_due_at) AS first_due_at
FROM pages p JOIN page_state s USING (page_id)
WHERE p.active AND s.next_due_at <= $now AND (s.claimed_until_at IS NULL OR s.claimed_until_at <= $now)
GROUP BY p.site
ORDER BY first_due_at, p.site;
