-- Readings of the sites in `batch` that were made under rules that are no longer the page's.
SELECT count(*) AS readings
FROM readings r JOIN pages p USING (page_id) JOIN batch b ON b.site = p.site
WHERE p.page_type <> 'auto' AND r.rules_id <> p.rules_id;
