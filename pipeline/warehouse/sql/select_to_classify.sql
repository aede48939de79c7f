-- Fingerprinted readings of the pages in `batch`, in visit order, with the visit and whether it was judged before
-- (then the reading is of a reference, baseline or candidate that is read again under new rules). Only as far as no
-- earlier visit of the page is still on its way here: kinds and references follow the order of visits.
SELECT r.page_id, r.visit_no, r.site, r.day, r.rules_id, r.extract_json, r.normal_sha256, u.rules_json,
       v.purpose, v.body_sha256, v.visited_at, json_extract_string(p.vantage_json, '$.country') AS country,
       EXISTS (FROM judgements j WHERE j.set_id = 0 AND j.page_id = r.page_id AND j.visit_no = r.visit_no) AS judged
FROM readings r
JOIN batch b USING (page_id)
JOIN visits v ON v.page_id = r.page_id AND v.visit_no = r.visit_no
JOIN rules u ON u.rules_id = r.rules_id
JOIN pages p ON p.page_id = r.page_id
JOIN page_state s ON s.page_id = r.page_id
WHERE r.fingerprinted
  AND r.visit_no <= coalesce(
        (SELECT min(x.visit_no) FROM readings x WHERE x.page_id = r.page_id AND NOT x.fingerprinted), r.visit_no + 1) - 1
  AND NOT EXISTS (
        FROM visits w
        WHERE w.page_id = r.page_id AND w.visit_no < r.visit_no AND w.visit_no > coalesce(s.last_good_visit_no, 0)
          AND w.outcome = 'ok' AND NOT w.unchanged AND w.body_sha256 IS NOT NULL
          AND NOT EXISTS (FROM readings x WHERE x.page_id = w.page_id AND x.visit_no = w.visit_no)
          AND NOT EXISTS (FROM judgements j WHERE j.set_id = 0 AND j.page_id = w.page_id AND j.visit_no = w.visit_no))
ORDER BY r.page_id, r.visit_no, r.rules_id;
