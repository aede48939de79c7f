-- One change on many pages of a site is one event: what visits showed that can be of one, and the events.

CREATE TABLE sightings (                    -- key: (page_id, visit_no). Written by classify beside a judgement, if there is anything to
                                            -- keep; deleted when the judgement vanishes, or after 8 days
    site          VARCHAR     NOT NULL,
    page_id       INTEGER     NOT NULL,
    visit_no      INTEGER     NOT NULL,
    visited_at    TIMESTAMPTZ NOT NULL,
    shown         BIGINT[]    NOT NULL,     -- texts that came or went and can be of an event: xxh3-64 of '+' or '-' and the text, top bit cleared
    needed        BIGINT[]    NOT NULL,     -- those that must all be of events for the visit to join one; empty: it never does
    commit_no     BIGINT      NOT NULL      -- of two visits the one judged first counts as the first that showed a text
);

COMMENT ON TABLE sightings IS 'Texts by which visits of different pages are recognised as showing one site event, as hashes; a week of them';

CREATE VIEW site_events AS
SELECT site, group_id, min(visited_at) AS first_seen_at, max(visited_at) AS last_seen_at,
       count(DISTINCT page_id) AS page_count,
       count(*) FILTER (kind IN ('content', 'field') AND confirmation <> 'waiting') AS change_count,
       count(*) FILTER (kind = 'noise') AS noise_count
FROM visit_results
WHERE group_id IS NOT NULL
GROUP BY site, group_id;

COMMENT ON VIEW site_events IS 'One row per change that many pages of a site showed; times are UTC';
COMMENT ON COLUMN site_events.site IS 'Site: file name of sites/<site>.yaml';
COMMENT ON COLUMN site_events.group_id IS 'Name of the event: change_id of the first visit that showed it';
COMMENT ON COLUMN site_events.first_seen_at IS 'Begin of the first visit that belongs to it, UTC';
COMMENT ON COLUMN site_events.last_seen_at IS 'Begin of the last visit that belongs to it, UTC';
COMMENT ON COLUMN site_events.page_count IS 'Pages that showed it and nothing of their own beside it';
COMMENT ON COLUMN site_events.change_count IS 'Changes among its visits; one item of the review queue stands for all of them';
COMMENT ON COLUMN site_events.noise_count IS 'Visits of kind noise among them';

CREATE OR REPLACE VIEW calibration_log AS
SELECT site, page_name, page_id, visit_no, visited_at, purpose, kind, kind_reason, confirmation, distance, distance_baseline, threshold,
       group_id
FROM visit_results
WHERE purpose = 'calibrate' OR kind = 'noise' OR confirmation = 'vanished';

COMMENT ON VIEW calibration_log IS 'One row per visit that teaches what noise looks like: calibration, noise and vanished changes';
COMMENT ON COLUMN calibration_log.site IS 'Site: file name of sites/<site>.yaml';
COMMENT ON COLUMN calibration_log.page_name IS 'Name of the page in its site file';
COMMENT ON COLUMN calibration_log.page_id IS 'Page';
COMMENT ON COLUMN calibration_log.visit_no IS 'Number of the visit within the page';
COMMENT ON COLUMN calibration_log.visited_at IS 'When the request began, UTC';
COMMENT ON COLUMN calibration_log.purpose IS 'watch, confirm, audit, probe, calibrate, manual or canary';
COMMENT ON COLUMN calibration_log.kind IS 'noise, content when it vanished, or NULL for a calibration visit';
COMMENT ON COLUMN calibration_log.kind_reason IS 'The step that settled the kind';
COMMENT ON COLUMN calibration_log.confirmation IS 'not_needed or vanished';
COMMENT ON COLUMN calibration_log.distance IS 'Bits (0..64) by which the simhash differs from the reference';
COMMENT ON COLUMN calibration_log.distance_baseline IS 'Bits (0..64) by which the simhash differs from the baseline';
COMMENT ON COLUMN calibration_log.threshold IS 'Largest distance still noise, 0..64; 64 decides nothing';
COMMENT ON COLUMN calibration_log.group_id IS 'Site event the visit belongs to, or NULL';
