-- What classify alone writes into page_state.
UPDATE page_state AS s SET
    last_good_visit_no = b.last_good_visit_no,
    baseline_visit_no = b.baseline_visit_no,
    body_sha256 = b.body_sha256,
    text_sha256 = b.text_sha256,
    baseline_text_sha256 = b.baseline_text_sha256,
    read_rules_id = b.read_rules_id,
    language = b.language,
    charset = b.charset,
    effective_outcome = b.effective_outcome,
    effective_reason = b.effective_reason,
    validator_rules_id = b.validator_rules_id,
    failure_streak = b.failure_streak,
    next_due_at = b.next_due_at,
    next_purpose = b.next_purpose
FROM batch b
WHERE s.page_id = b.page_id;
