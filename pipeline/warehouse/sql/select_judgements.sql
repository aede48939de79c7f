-- The judgements in force of the visits in `batch`, in the live set.
SELECT j.*
FROM judgements j SEMI JOIN batch b ON b.page_id = j.page_id AND b.visit_no = j.visit_no
WHERE j.set_id = 0
QUALIFY row_number() OVER (PARTITION BY j.page_id, j.visit_no ORDER BY j.commit_no DESC) = 1
ORDER BY j.page_id, j.visit_no;
