UPDATE page_state SET claimed_until_at = $until, claimed_by = $run_id
WHERE page_id IN (SELECT page_id FROM batch);
