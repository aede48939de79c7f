-- What stands in the place of a page is told apart more finely, and what a page was is remembered a little longer.
--
-- judgements.quality: good|blocked|consent|login|geo|soft_404|error_page|elsewhere|shell|half_rendered|collapse|extraction_failed
-- judgements.kind_reason: first|rebaselined|calibration|not_good|bytes_equal|bytes_differ|text_equal|fields|explained|unexplained|beyond_threshold|drift

ALTER TABLE page_state ADD COLUMN language VARCHAR;  -- BCP 47 tag of the reference's text; NULL if the page does not say
ALTER TABLE page_state ADD COLUMN charset VARCHAR;   -- encoding of the last good body, WHATWG name; NULL for what is no text
ALTER TABLE page_state ADD COLUMN moved_to VARCHAR;      -- where permanent redirects led at the last visit that answered; NULL if nowhere
ALTER TABLE page_state ADD COLUMN moved_visits INTEGER;  -- visits in a row that were led there; reported when there are three

COMMENT ON COLUMN page_state.moved_to IS 'URL to which permanent redirects lead; the page is still watched through its own';

CREATE OR REPLACE VIEW visit_results AS
SELECT v.site, p.page_name, p.url, v.page_id, v.visit_no, v.day, v.visited_at, v.purpose,
       v.outcome,
       CASE WHEN j.quality = 'soft_404' THEN 'gone'
            WHEN j.quality IN ('blocked', 'consent', 'login', 'geo') THEN 'blocked'
            WHEN j.quality <> 'good' THEN 'failed' ELSE v.outcome END AS effective_outcome,
       coalesce(v.outcome_reason,
                CASE WHEN j.reasons->>'$[0].explained_by' IN ('captcha', 'challenge', 'waiting_room') THEN j.reasons->>'$[0].explained_by' END,
                nullif(j.quality, 'good')) AS outcome_reason, v.http_status,
       CASE WHEN v.purpose = 'calibrate' THEN NULL
            WHEN v.unchanged AND v.outcome IN ('ok', 'not_modified') THEN 'none' ELSE j.kind END AS kind,
       CASE WHEN v.purpose = 'calibrate' THEN 'calibration'
            WHEN v.outcome NOT IN ('ok', 'not_modified') THEN 'not_good'
            WHEN v.unchanged THEN 'bytes_equal'
            ELSE coalesce(j.kind_reason, 'pending') END AS kind_reason,
       j.quality, j.confirmation, coalesce(j.also_content, FALSE) AS also_content,
       j.distance, j.distance_baseline, t.noise_bits AS threshold, j.unexplained_blocks, j.reasons, j.diff_sha256, j.group_id
FROM visits v
JOIN pages p USING (page_id)
LEFT JOIN (SELECT * FROM judgements WHERE set_id = 0
           QUALIFY row_number() OVER (PARTITION BY page_id, visit_no ORDER BY commit_no DESC) = 1) j
       ON j.page_id = v.page_id AND j.visit_no = v.visit_no
LEFT JOIN thresholds t ON t.threshold_id = j.threshold_id;

COMMENT ON VIEW visit_results IS 'One row per visit with its final judgement in the live set; times are UTC';
COMMENT ON COLUMN visit_results.site IS 'Site: file name of sites/<site>.yaml';
COMMENT ON COLUMN visit_results.page_name IS 'Name of the page in its site file';
COMMENT ON COLUMN visit_results.url IS 'URL as requested';
COMMENT ON COLUMN visit_results.page_id IS 'Page; a new URL or vantage under the same name has a new one';
COMMENT ON COLUMN visit_results.visit_no IS 'Number of the visit within the page, from 1';
COMMENT ON COLUMN visit_results.day IS 'UTC day of the partition the visit was made for';
COMMENT ON COLUMN visit_results.visited_at IS 'When the request began, UTC';
COMMENT ON COLUMN visit_results.purpose IS 'watch, confirm, audit, probe, calibrate, manual or canary';
COMMENT ON COLUMN visit_results.outcome IS 'How the fetch ended: ok, not_modified, blocked, gone, failed or refused';
COMMENT ON COLUMN visit_results.effective_outcome IS 'The same after the text was read: a block page served with 200 is blocked';
COMMENT ON COLUMN visit_results.outcome_reason IS 'Why it is not ok, such as http_500 or captcha; NULL when good';
COMMENT ON COLUMN visit_results.http_status IS 'HTTP status of the last hop; NULL without an answer';
COMMENT ON COLUMN visit_results.kind IS 'none, noise, content or field; NULL for a first, calibration, rebaselined or not-good visit';
COMMENT ON COLUMN visit_results.kind_reason IS 'The step that settled the kind, or why there is none; pending until classified';
COMMENT ON COLUMN visit_results.quality IS 'Whether the text was the page at all: good, or what was there instead, such as blocked, consent, soft_404 or collapse';
COMMENT ON COLUMN visit_results.confirmation IS 'not_needed, waiting for a second fetch, confirmed, or vanished by then';
COMMENT ON COLUMN visit_results.also_content IS 'A field visit whose text also changed beyond noise';
COMMENT ON COLUMN visit_results.distance IS 'Bits (0..64) by which the simhash differs from the reference';
COMMENT ON COLUMN visit_results.distance_baseline IS 'Bits (0..64) by which the simhash differs from the baseline';
COMMENT ON COLUMN visit_results.threshold IS 'Largest distance still noise, 0..64; 64 decides nothing';
COMMENT ON COLUMN visit_results.unexplained_blocks IS 'Changed blocks that nothing explains';
COMMENT ON COLUMN visit_results.reasons IS 'List of {step, block, explained_by}; of a visit that is not good the sign that gave it away';
COMMENT ON COLUMN visit_results.diff_sha256 IS 'Blob with the readable diff; see quietdiff diff';
COMMENT ON COLUMN visit_results.group_id IS 'Site-wide event the visit belongs to: change_id of the first visit that showed it';
