-- Candidates that wait for the next good visit, of the pages in `batch`.
SELECT j.*
FROM judgements j JOIN batch b USING (page_id)
WHERE j.set_id = 0
QUALIFY row_number() OVER (PARTITION BY j.page_id, j.visit_no ORDER BY j.commit_no DESC) = 1
    AND j.confirmation = 'waiting';
