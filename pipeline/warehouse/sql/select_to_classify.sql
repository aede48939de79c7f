-- Fingerprinted readings of the pages in `batch`, in visit order, with the visit and whether it was judged before
-- (then the reading is of a reference or baseline that is read again under new rules).
SELECT r.page_id, r.visit_no, r.site, r.day, r.rules_id, r.extract_json, r.normal_sha256, u.rules_json,
       v.purpose, v.body_sha256, v.visited_at,
       EXISTS (FROM judgements j WHERE j.set_id = 0 AND j.page_id = r.page_id AND j.visit_no = r.visit_no) AS judged
FROM readings r
JOIN batch b USING (page_id)
JOIN visits v ON v.page_id = r.page_id AND v.visit_no = r.visit_no
JOIN rules u ON u.rules_id = r.rules_id
WHERE r.fingerprinted
ORDER BY r.page_id, r.visit_no, r.rules_id;
