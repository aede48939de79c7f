-- Blobs that nothing pins and nothing needs, stored and last re-used before $before. Needed are, of every page: its last
-- body, good or not; body and text of the reference, of the baseline and of a candidate that waits, with its diff; the
-- texts of fingerprints that still have their blocks; and whatever a visit that is not judged yet, or is read again,
-- still goes through.
WITH waiting AS (
    SELECT page_id, visit_no, diff_sha256
    FROM judgements
    WHERE set_id = 0
    QUALIFY row_number() OVER (PARTITION BY page_id, visit_no ORDER BY commit_no DESC) = 1 AND confirmation = 'waiting'
),
unjudged AS (
    SELECT v.page_id, v.visit_no
    FROM visits v
    ANTI JOIN (SELECT page_id, visit_no FROM judgements WHERE set_id = 0) j USING (page_id, visit_no)
    WHERE v.outcome = 'ok' AND NOT v.unchanged AND v.body_sha256 IS NOT NULL
),
held AS (
    SELECT page_id, unnest([last_good_visit_no, baseline_visit_no]) AS visit_no FROM page_state
    UNION ALL
    SELECT page_id, visit_no FROM waiting
    UNION ALL
    SELECT page_id, visit_no FROM readings
    UNION ALL
    FROM unjudged
),
needed AS (
    SELECT unnest([last_body_sha256, body_sha256, text_sha256, baseline_text_sha256]) AS sha256 FROM page_state
    UNION ALL
    SELECT v.body_sha256 FROM visits v JOIN held h USING (page_id, visit_no)
    UNION ALL
    SELECT diff_sha256 FROM waiting
    UNION ALL
    SELECT text_sha256 FROM fingerprints WHERE blocks IS NOT NULL
    UNION ALL
    SELECT unnest([text_sha256, normal_sha256]) FROM readings
)
SELECT b.sha256, b.stored_bytes
FROM blobs b
ANTI JOIN needed n ON n.sha256 = b.sha256
WHERE b.pin IS NULL AND b.stored_at < $before
LIMIT $limit;
