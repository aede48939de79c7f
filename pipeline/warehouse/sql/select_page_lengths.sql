-- Every active page that has a good text, with the words of the last one.
SELECT p.page_id, p.site, p.page_name, p.page_type, f.word_count AS words
FROM pages p
JOIN page_state s USING (page_id)
JOIN fingerprints f ON f.page_id = p.page_id AND f.rules_id = s.read_rules_id AND f.visit_no <= s.last_good_visit_no
WHERE p.active
QUALIFY row_number() OVER (PARTITION BY p.page_id ORDER BY f.visit_no DESC) = 1
ORDER BY p.site, p.page_name;
