-- Field values in force at each (page_id, visit_no, rules_id) of `batch`: a visit that was read again has a row for each
-- rules under which the value came out differently, and those asked for count.
SELECT b.page_id, b.visit_no AS as_of_visit_no, b.rules_id AS as_of_rules_id, f.* EXCLUDE (page_id)
FROM (SELECT DISTINCT page_id, visit_no, rules_id FROM batch) b
JOIN field_values f ON f.page_id = b.page_id AND f.visit_no <= b.visit_no
QUALIFY row_number() OVER (
    PARTITION BY b.page_id, b.visit_no, b.rules_id, f.field_name
    ORDER BY f.visit_no DESC, (f.rules_id = b.rules_id) DESC, f.rules_id DESC) = 1;
