-- Fingerprinted readings of the pages in `batch`.
SELECT r.page_id, r.visit_no, r.rules_id FROM readings r JOIN batch b USING (page_id) WHERE r.fingerprinted;
