DELETE FROM pages WHERE page_id IN (SELECT page_id FROM batch);
