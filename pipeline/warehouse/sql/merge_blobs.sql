MERGE INTO blobs AS b
USING batch AS n
ON b.sha256 = n.sha256
WHEN MATCHED THEN UPDATE SET stored_at = n.stored_at, pin = CASE WHEN b.pin = 'hold' THEN b.pin ELSE coalesce(n.pin, b.pin) END
WHEN NOT MATCHED THEN INSERT (sha256, role, raw_bytes, stored_bytes, stored_at, pin)
    VALUES (n.sha256, n.role, n.raw_bytes, n.stored_bytes, n.stored_at, n.pin);
