-- Visits with a body, not unchanged, with neither a reading nor a live judgement, in visit order.
SELECT v.page_id, v.visit_no, v.site, v.day, v.body_sha256, v.final_url, v.headers_json,
       p.url, p.rules_id, json_extract_string(p.vantage_json, '$.country') AS country, r.rules_json,
       s.last_good_visit_no, s.baseline_visit_no, s.read_rules_id, s.charset,
       (SELECT max(w.visit_no) FROM judgements w
        WHERE w.set_id = 0 AND w.page_id = v.page_id AND w.confirmation = 'waiting'
          AND w.visit_no > coalesce(s.last_good_visit_no, 0)) AS waiting_visit_no
FROM visits v
JOIN batch b ON b.site = v.site AND v.day <= b.day
JOIN pages p ON p.page_id = v.page_id
JOIN rules r ON r.rules_id = p.rules_id
JOIN page_state s ON s.page_id = v.page_id
WHERE v.outcome = 'ok' AND NOT v.unchanged AND v.body_sha256 IS NOT NULL
  AND NOT EXISTS (FROM readings x WHERE x.page_id = v.page_id AND x.visit_no = v.visit_no)
  AND NOT EXISTS (FROM judgements j WHERE j.set_id = 0 AND j.page_id = v.page_id AND j.visit_no = v.visit_no)
ORDER BY v.page_id, v.visit_no;
