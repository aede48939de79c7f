-- The first good visit of a page of type `auto` fixes its type and rules.
UPDATE pages AS p SET page_type = b.page_type, rules_id = b.rules_id
FROM batch b
WHERE p.page_id = b.page_id AND p.page_type = 'auto';
