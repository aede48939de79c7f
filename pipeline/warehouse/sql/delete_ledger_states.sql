DELETE FROM ledger_states AS l USING batch b
WHERE l.set_id = b.set_id AND l.page_id = b.page_id AND l.day = b.day;
