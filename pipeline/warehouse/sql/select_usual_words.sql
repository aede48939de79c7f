-- Word counts of the last ten texts of each page in `batch` that were good, under the rules they were last read with.
SELECT f.page_id, f.visit_no, f.word_count
FROM fingerprints f
JOIN batch b USING (page_id)
JOIN page_state s ON s.page_id = f.page_id AND s.read_rules_id = f.rules_id
WHERE EXISTS (FROM judgements j WHERE j.set_id = 0 AND j.page_id = f.page_id AND j.visit_no = f.visit_no AND j.quality = 'good')
QUALIFY row_number() OVER (PARTITION BY f.page_id ORDER BY f.visit_no DESC) <= $most
ORDER BY f.page_id, f.visit_no;
