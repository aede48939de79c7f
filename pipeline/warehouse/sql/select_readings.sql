-- Readings of the sites in `batch` and their pages' rules, in visit order; with the normal text of the page's reference
-- where that was read under the same rules.
SELECT r.page_id, r.visit_no, r.site, r.day, r.rules_id, r.text_sha256, r.extract_json, r.normal_sha256, r.fingerprinted,
       u.rules_json, CASE WHEN s.read_rules_id = r.rules_id THEN s.text_sha256 END AS reference_sha256
FROM readings r
JOIN batch b ON b.site = r.site AND r.day <= b.day
JOIN rules u ON u.rules_id = r.rules_id
JOIN page_state s ON s.page_id = r.page_id
WHERE CASE $stage WHEN 'normalize' THEN r.normal_sha256 IS NULL ELSE r.normal_sha256 IS NOT NULL AND NOT r.fingerprinted END
ORDER BY r.page_id, r.visit_no, r.rules_id;
