SELECT p.* FROM pages p JOIN batch b ON b.site = p.site ORDER BY p.page_id;
