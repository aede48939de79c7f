-- Content that the next visit, the next stage or `diff` will ask for and that `blobs` does not know.
WITH wanted AS (
    SELECT unnest([last_body_sha256, body_sha256, text_sha256, baseline_text_sha256]) AS sha256,
           'page_state of page ' || page_id AS named_by FROM page_state
    UNION ALL
    SELECT unnest([text_sha256, normal_sha256]), 'readings, visit v' || page_id || '-' || visit_no FROM readings
    UNION ALL
    SELECT diff_sha256, 'change ' || change_id FROM changes
)
SELECT DISTINCT sha256, named_by FROM wanted WHERE sha256 IS NOT NULL AND sha256 NOT IN (SELECT sha256 FROM blobs)
ORDER BY ALL;
