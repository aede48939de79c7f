UPDATE fingerprints AS f SET block_diff = NULL
FROM batch b
WHERE f.page_id = b.page_id AND f.visit_no = b.visit_no AND f.rules_id = b.rules_id;
