-- Pages that the runs in `batch` hold.
SELECT s.page_id FROM page_state s JOIN batch b ON b.run_id = s.claimed_by;
