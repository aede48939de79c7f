DELETE FROM readings AS r USING batch b
WHERE r.page_id = b.page_id AND r.visit_no = b.visit_no AND r.rules_id = b.rules_id;
