-- What fetch alone writes into page_state.
UPDATE page_state AS s SET
    last_visit_no = b.visit_no,
    last_body_sha256 = b.last_body_sha256,
    effective_outcome = b.effective_outcome,
    effective_reason = b.effective_reason,
    etag = b.etag,
    last_modified = b.last_modified,
    validator_rules_id = b.validator_rules_id,
    visits_since_full = b.visits_since_full,
    failure_streak = b.failure_streak,
    moved_to = b.moved_to,
    moved_visits = b.moved_visits,
    next_due_at = b.next_due_at,
    next_purpose = b.next_purpose,
    claimed_until_at = NULL,
    claimed_by = NULL
FROM batch b
WHERE s.page_id = b.page_id;
