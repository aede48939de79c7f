DELETE FROM field_values AS f
USING batch b
WHERE f.page_id = b.page_id AND f.visit_no = b.visit_no AND f.field_name = b.field_name AND f.rules_id = b.rules_id;
