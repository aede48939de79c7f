-- Those visits of `batch` (page_id, visit_no) that still have neither a reading nor a live judgement.
SELECT b.page_id, b.visit_no
FROM batch b
WHERE NOT EXISTS (FROM readings x WHERE x.page_id = b.page_id AND x.visit_no = b.visit_no)
  AND NOT EXISTS (FROM judgements j WHERE j.set_id = 0 AND j.page_id = b.page_id AND j.visit_no = b.visit_no);
