-- Readings that were made under rules that are no longer the page's: their visits are read again under the present ones.
DELETE FROM readings AS r
USING pages p, batch b
WHERE p.page_id = r.page_id AND b.site = p.site AND p.page_type <> 'auto' AND r.rules_id <> p.rules_id;
