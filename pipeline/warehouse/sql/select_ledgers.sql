-- The latest ledger of each page of `batch` in the live set, of this detector.
SELECT l.page_id, l.day, l.visit_no, l.state
FROM ledger_states l JOIN batch b USING (page_id)
WHERE l.set_id = 0 AND l.detector_version = $detector_version
QUALIFY row_number() OVER (PARTITION BY l.page_id ORDER BY l.day DESC, l.visit_no DESC) = 1;
