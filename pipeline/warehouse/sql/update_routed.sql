UPDATE page_state AS s SET last_alerted_json = b.last_alerted_json FROM batch b WHERE s.page_id = b.page_id;
