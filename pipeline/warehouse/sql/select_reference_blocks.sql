-- Packed blocks of the reference of each page in `batch`, under the rules it was read with.
SELECT s.page_id, f.rules_id, f.blocks
FROM page_state s
JOIN batch b USING (page_id)
JOIN fingerprints f ON f.page_id = s.page_id AND f.rules_id = s.read_rules_id AND f.visit_no <= s.last_good_visit_no
QUALIFY row_number() OVER (PARTITION BY s.page_id ORDER BY f.visit_no DESC) = 1;
