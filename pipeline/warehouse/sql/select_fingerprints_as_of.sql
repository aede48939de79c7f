-- The fingerprint in force at each (page_id, visit_no, rules_id) of `batch`: the latest row at or before it.
SELECT b.page_id, b.visit_no, b.rules_id,
       f.visit_no AS from_visit_no, f.text_hash, f.simhash, f.word_count, f.block_count, f.blocks, f.text_sha256
FROM batch b
JOIN fingerprints f ON f.page_id = b.page_id AND f.rules_id = b.rules_id AND f.visit_no <= b.visit_no
QUALIFY row_number() OVER (PARTITION BY b.page_id, b.visit_no, b.rules_id ORDER BY f.visit_no DESC) = 1;
