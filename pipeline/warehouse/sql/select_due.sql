-- Pages of the sites in `batch` that may be visited now and that no run holds.
SELECT p.page_id, p.page_name, p.site, p.url, p.vantage_json, p.rules_id, s.*
FROM pages p
JOIN batch b ON b.site = p.site
JOIN (SELECT * RENAME (page_id AS state_page_id) FROM page_state) s ON s.state_page_id = p.page_id
WHERE p.active
  AND (s.claimed_until_at IS NULL OR s.claimed_until_at <= $now)
  AND ($manual OR s.next_due_at <= $now)
ORDER BY s.next_due_at NULLS LAST, p.page_id;
