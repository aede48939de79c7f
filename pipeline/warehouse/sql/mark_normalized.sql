UPDATE readings AS r SET normal_sha256 = b.normal_sha256, commit_no = b.commit_no
FROM batch b
WHERE r.page_id = b.page_id AND r.visit_no = b.visit_no AND r.rules_id = b.rules_id;
