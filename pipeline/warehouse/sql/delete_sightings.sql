DELETE FROM sightings AS s USING batch b WHERE s.page_id = b.page_id AND s.visit_no = b.visit_no;
