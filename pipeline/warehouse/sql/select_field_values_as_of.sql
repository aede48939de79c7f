-- Field values in force at each (page_id, visit_no) of `batch`.
SELECT b.page_id, b.visit_no AS as_of_visit_no, f.*  EXCLUDE (page_id)
FROM (SELECT DISTINCT page_id, visit_no FROM batch) b
JOIN field_values f ON f.page_id = b.page_id AND f.visit_no <= b.visit_no
QUALIFY row_number() OVER (PARTITION BY b.page_id, b.visit_no, f.field_name ORDER BY f.visit_no DESC, f.rules_id DESC) = 1;
