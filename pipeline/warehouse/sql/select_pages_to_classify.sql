-- Pages of the sites in `batch` with a fingerprinted reading, or with a candidate that may be closed.
SELECT r.page_id
FROM readings r JOIN batch b ON b.site = r.site AND r.day <= b.day
WHERE r.fingerprinted
UNION
SELECT s.page_id
FROM page_state s JOIN pages p USING (page_id) JOIN batch b ON b.site = p.site
WHERE EXISTS (FROM judgements j WHERE j.page_id = s.page_id AND j.set_id = 0 AND j.confirmation = 'waiting'
              AND j.visit_no > coalesce(s.last_good_visit_no, 0))
ORDER BY ALL;
