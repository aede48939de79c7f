-- An active page of a site by name: its last good text, its ledger, and the threshold in force with what it promises.
SELECT p.site, p.page_name, p.page_id, t.page_id AS threshold_page_id, p.page_type, s.text_sha256, l.state AS ledger,
       t.noise_bits, t.drift_bits, t.method, t.fetches, t.max_seen_bits, t.alpha, t.alpha_upper, t.evidence_json, t.applied_at, t.applied_by
FROM pages p
JOIN page_state s USING (page_id)
LEFT JOIN (SELECT page_id, state FROM ledger_states
           WHERE set_id = 0 AND detector_version = $detector_version
           QUALIFY row_number() OVER (PARTITION BY page_id ORDER BY day DESC, visit_no DESC) = 1) l ON l.page_id = p.page_id
JOIN thresholds t ON t.applied_at IS NOT NULL
    AND (t.site IS NULL OR t.site = p.site)
    AND (t.page_type IS NULL OR t.page_type = p.page_type)
    AND (t.page_id IS NULL OR t.page_id = p.page_id)
WHERE p.active AND p.site = $site AND ($page IS NULL OR p.page_name = $page)
QUALIFY row_number() OVER (
    PARTITION BY p.page_id
    ORDER BY (t.page_id IS NOT NULL)::INT DESC, (t.site IS NOT NULL)::INT DESC, (t.page_type IS NOT NULL)::INT DESC,
             t.applied_at DESC, t.threshold_id DESC) = 1
ORDER BY p.page_name;
