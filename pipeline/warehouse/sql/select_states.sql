SELECT s.*, p.site, p.page_name, p.page_type, p.rules_id
FROM page_state s JOIN pages p USING (page_id) JOIN batch b USING (page_id);
