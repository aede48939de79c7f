SELECT coalesce(max(page_id), 0) + 1 AS page_id FROM pages;
