-- What waits in the outbox, the oldest first.
SELECT channel, payload_json FROM alerts WHERE status = 'pending' ORDER BY created_at, alert_id;
