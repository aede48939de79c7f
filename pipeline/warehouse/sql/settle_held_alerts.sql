-- Alerts in `batch` are sent on, or dropped because their value has moved on.
UPDATE alerts AS a
SET status = CASE WHEN b.moved THEN 'dropped' ELSE 'pending' END,
    status_reason = CASE WHEN b.moved THEN 'the value did not last' END,
    next_attempt_at = CASE WHEN b.moved THEN NULL ELSE CAST($now AS TIMESTAMPTZ) END
FROM batch b
WHERE b.alert_id = a.alert_id AND a.status = 'held';
