-- Readings of the sites in `batch` and their pages' rules, in visit order.
SELECT r.page_id, r.visit_no, r.site, r.day, r.rules_id, r.text_sha256, r.extract_json, r.normal_sha256, r.fingerprinted,
       u.rules_json
FROM readings r
JOIN batch b ON b.site = r.site AND r.day <= b.day
JOIN rules u ON u.rules_id = r.rules_id
WHERE CASE $stage WHEN 'normalize' THEN r.normal_sha256 IS NULL ELSE r.normal_sha256 IS NOT NULL AND NOT r.fingerprinted END
ORDER BY r.page_id, r.visit_no, r.rules_id;
