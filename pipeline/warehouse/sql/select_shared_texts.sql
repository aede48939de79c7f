-- For each fingerprinted reading of the pages in `batch`: how many other active pages of its site, with other URLs, showed
-- the very same text when they were last read.
WITH mine AS (
    SELECT r.page_id, r.visit_no, r.site, p.canonical_url, f.text_hash
    FROM readings r
    JOIN batch b USING (page_id)
    JOIN pages p USING (page_id)
    JOIN fingerprints f ON f.page_id = r.page_id AND f.rules_id = r.rules_id AND f.visit_no <= r.visit_no
    WHERE r.fingerprinted
    QUALIFY row_number() OVER (PARTITION BY r.page_id, r.visit_no, r.rules_id ORDER BY f.visit_no DESC) = 1
)
SELECT m.page_id, m.visit_no, count(DISTINCT q.canonical_url) AS pages
FROM mine m
JOIN pages q ON q.site = m.site AND q.active AND q.canonical_url <> m.canonical_url
JOIN fingerprints g ON g.page_id = q.page_id AND g.text_hash = m.text_hash
WHERE NOT EXISTS (FROM fingerprints x WHERE x.page_id = g.page_id AND x.visit_no > g.visit_no)
GROUP BY m.page_id, m.visit_no;
