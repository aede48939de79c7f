-- The threshold in force for each page of `batch`: the most specific applied row, the latest among equals.
SELECT p.page_id, t.threshold_id, t.noise_bits, t.drift_bits
FROM pages p
JOIN batch b USING (page_id)
JOIN thresholds t ON t.applied_at IS NOT NULL
    AND (t.site IS NULL OR t.site = p.site)
    AND (t.page_type IS NULL OR t.page_type = p.page_type)
    AND (t.page_id IS NULL OR t.page_id = p.page_id)
QUALIFY row_number() OVER (
    PARTITION BY p.page_id
    ORDER BY (t.page_id IS NOT NULL)::INT DESC, (t.site IS NOT NULL)::INT DESC, (t.page_type IS NOT NULL)::INT DESC,
             t.applied_at DESC, t.threshold_id DESC) = 1;
