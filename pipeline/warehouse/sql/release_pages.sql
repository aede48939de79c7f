UPDATE page_state SET claimed_until_at = NULL, claimed_by = NULL
WHERE page_id IN (SELECT page_id FROM batch);
