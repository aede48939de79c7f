-- The newest fitted threshold of each (site, page_type, page), applied or not, and the newest that was applied.
SELECT site, page_type, page_id, noise_bits, drift_bits, fetches, evidence_json, applied_at
FROM thresholds
WHERE method <> 'default'
QUALIFY row_number() OVER (PARTITION BY site, page_type, page_id, applied_at IS NULL ORDER BY threshold_id DESC) = 1;
