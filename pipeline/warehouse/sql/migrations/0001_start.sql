-- The schema Quietdiff starts from.
--
-- Rules of this file and of every migration after it
--  * Runs unchanged on DuckDB 1.5.x and on DuckLake: no PRIMARY KEY, UNIQUE, CHECK, FOREIGN KEY, ENUM, sequence, generated
--    column or ON CONFLICT. "key:" in a comment is what tests hold unique.
--  * Append-only except where a table says "replaced" (delete + insert, or update, in the transaction that writes the row).
--  * Every instant is TIMESTAMPTZ and UTC, column name ends in _at. Every connection runs SET TimeZone = 'UTC'.
--  * `day` is the day of the partition the run was launched for, not date(visited_at): a run that crosses midnight keeps
--    one day, so the later steps of the same partition see all its visits.
--  * No reserved or confusing names. NULL means "does not apply / unknown", never "zero", "empty" or "missing field".
--  * Closed vocabularies are VARCHAR; the allowed words are in the comment, in pipeline/model and in a test.
--  * Identity. Page: page_id, given once under the lock, never reused. Visit: (page_id, visit_no), visit_no dense from 1
--    within the page. Change: the visit that showed it, printed 'v<page_id>-<visit_no>'.
--  * A visit that changed nothing (304 or equal bytes) writes one row, in visits, with unchanged = TRUE; the view
--    visit_results gives its kind.

-- ───────────────────────────── 1 bookkeeping ─────────────────────────────
CREATE TABLE schema_migrations (            -- key: migration_no
    migration_no  INTEGER     NOT NULL,     -- 1, 2, 3 ...; append-only
    file_name     VARCHAR     NOT NULL,     -- 0001_start.sql
    sha256        VARCHAR     NOT NULL,     -- of the file as it was run; a changed old migration is refused
    applied_at    TIMESTAMPTZ NOT NULL,
    code_version  VARCHAR     NOT NULL      -- quietdiff version that applied it
);

CREATE TABLE commits (                      -- key: commit_no. One row per write transaction of a stage.
    commit_no     BIGINT      NOT NULL,     -- dense from 1. The same number is fsynced to data/quietdiff.hwm AFTER the
                                            -- commit: a database whose max(commit_no) is lower has lost rows (torn WAL)
    run_id        VARCHAR     NOT NULL,     -- Dagster run id, or 'cli-<uuid>'; for people, never part of a key
    site          VARCHAR,                  -- NULL for work that is not of one site
    day           DATE,                     -- partition day, UTC
    stage         VARCHAR     NOT NULL,     -- fetch|extract|normalize|fingerprint|classify|route|calibrate|rejudge|verdicts|deliver|health|config
    row_count     INTEGER     NOT NULL,
    committed_at  TIMESTAMPTZ NOT NULL
);

-- ───────────────────────────── 2 what is watched ─────────────────────────
CREATE TABLE sites (                        -- key: site. Replaced on configuration change. Never deleted.
    site          VARCHAR     NOT NULL,     -- file name of sites/<site>.yaml = Dagster partition key; [a-z0-9][a-z0-9_-]{0,63}
    active        BOOLEAN     NOT NULL,     -- FALSE when the file is gone: schedules skip it, history and partition key stay
    time_zone     VARCHAR     NOT NULL,     -- IANA name; for quiet hours, windows and local_day in views only
    config_sha256 VARCHAR     NOT NULL,     -- of the file in force
    first_seen_at TIMESTAMPTZ NOT NULL,
    removed_at    TIMESTAMPTZ               -- NULL while active
);

CREATE TABLE rules (                        -- key: rules_id. What shapes a judgement and NOTHING else: page_type, fields,
                                            -- region, unordered, mask, language + the three versions below. Not alert,
                                            -- every, weight, channels, name: editing those must not rebaseline a page.
    rules_id             INTEGER     NOT NULL,
    rules_sha256         VARCHAR     NOT NULL,  -- of canonical JSON of rules_json + versions; unique
    rules_json           JSON        NOT NULL,  -- secrets cannot occur in it
    extractor_version    INTEGER     NOT NULL,  -- raised by hand when output can differ (turbohtml upgrade included)
    normalizer_version   INTEGER     NOT NULL,
    fingerprint_version  INTEGER     NOT NULL,
    detector_version     INTEGER     NOT NULL,
    first_used_at        TIMESTAMPTZ NOT NULL
);

CREATE TABLE pages (                        -- key: page_id; also (site, page_name, generation). Replaced when only
                                            -- importance, rules, page_type or active change.
    page_id       INTEGER     NOT NULL,
    site          VARCHAR     NOT NULL,
    page_name     VARCHAR     NOT NULL,     -- the name in the YAML; unique in its site among active pages
    generation    INTEGER     NOT NULL,     -- 1, then +1 when URL or vantage changes under the same name: new page_id,
                                            -- fresh baseline, no alert
    previous_page_id INTEGER,               -- the generation before, or the page named by `was:` in the YAML (rename, move)
    url           VARCHAR     NOT NULL,     -- as requested
    canonical_url VARCHAR     NOT NULL,     -- for identity; (canonical_url, vantage_sha256) unique among active pages
    vantage_sha256 VARCHAR    NOT NULL,     -- of vantage_json: a visit is compared only with its own page_id, so with its own vantage
    vantage_json  JSON        NOT NULL,     -- country, proxy LABEL (never the resolved URL), accept_language, user_agent, cookie names
    page_type     VARCHAR     NOT NULL,     -- product|article|recipe|event|job|organization|terms|text|<own>
    page_role     VARCHAR     NOT NULL,     -- watched|canary|echo, from the page key `role:` (default watched; the demo's pages are watched):
                                            -- only 'watched' counts in health and rates
    importance    DOUBLE      NOT NULL,     -- weight, > 0, 1 = usual
    rules_id      INTEGER     NOT NULL,     -- in force now
    active        BOOLEAN     NOT NULL,
    first_seen_at TIMESTAMPTZ NOT NULL,
    removed_at    TIMESTAMPTZ
);

CREATE TABLE page_state (                   -- key: page_id. Replaced; the only mutable per-page row, never written by a rejudge. fetch: claim,
                                            -- validators, last_*; classify: references, baseline, effective_*, rate_a/b, next_due_at and next_purpose; route:
                                            -- last_alerted_json; verdicts and rules changes: baseline; the plan: next_due_at of pages not waiting. Each reads
                                            -- and rewrites the row inside its own locked transaction and touches only its columns.
    page_id             INTEGER     NOT NULL,
    last_visit_no       INTEGER     NOT NULL,   -- 0 before the first visit
    last_good_visit_no  INTEGER,                -- THE REFERENCE: kind is judged against this visit
    baseline_visit_no   INTEGER,                -- first visit, or the last one at which a change was recorded, a reviewer
                                                -- said `real`, or the page was rebaselined. Noise never moves it. Drift guard only.
    effective_outcome   VARCHAR,                -- outcome of last_body_sha256 after classify (ok, or blocked for a consent wall
                                                -- seen only in the text); NULL until classify has seen that body
    effective_reason    VARCHAR,
    last_body_sha256    VARCHAR,                -- body of the last visit of any quality: equal bytes repeat effective_outcome
    body_sha256         VARCHAR,                -- body (blobs) of last_good_visit_no: equal bytes are `none`, outcome ok
    text_sha256         VARCHAR,                -- current normalised text with blocks (blobs)
    read_rules_id       INTEGER,                -- rules under which text_sha256 and the reference's field values were read;
                                                -- other than pages.rules_id: the reference is read again before the next visit
    baseline_text_sha256 VARCHAR,
    etag                VARCHAR,                -- verbatim; valid only for validator_rules_id
    last_modified       VARCHAR,                -- verbatim
    validator_rules_id  INTEGER,                -- a 304 is trusted only if equal to pages.rules_id
    validator_trust     VARCHAR     NOT NULL,   -- untried|trusted|useless (changes each load)|distrusted (for good)
    maybe_missed_since_at TIMESTAMPTZ,
    visits_since_full   INTEGER     NOT NULL,   -- 304s since the last unconditional audit fetch
    failure_streak      INTEGER     NOT NULL,
    rate_a              DOUBLE      NOT NULL,   -- Gamma shape of changes; prior + data
    rate_b              DOUBLE      NOT NULL,   -- Gamma rate, days
    next_due_at         TIMESTAMPTZ,            -- NULL = never by itself (inactive, refused)
    next_purpose        VARCHAR     NOT NULL,   -- watch|confirm|audit|probe|calibrate
    claimed_until_at    TIMESTAMPTZ,            -- lease: taken in one short transaction before HTTP; two runs never fetch one page
    claimed_by          VARCHAR,                -- run id
    last_alerted_json   JSON                    -- field -> typed value last alerted, for drift against the alerted value
);

-- ───────────────────────────── 3 facts of the network ────────────────────
CREATE TABLE visits (                       -- key: (page_id, visit_no). Append-only; written once, by fetch. Order by site, page_id.
    page_id       INTEGER     NOT NULL,
    visit_no      INTEGER     NOT NULL,
    site          VARCHAR     NOT NULL,     -- repeated for pruning; compresses to nothing
    day           DATE        NOT NULL,     -- partition day, UTC
    visited_at    TIMESTAMPTZ NOT NULL,     -- request start; max(clock, previous + 1 us) so that order never lies
    purpose       VARCHAR     NOT NULL,     -- watch|confirm|audit|probe|calibrate|manual|canary; calibrate and confirm do not feed rates
    outcome       VARCHAR     NOT NULL,     -- transport view: ok|not_modified|blocked|gone|failed|refused. What only the text
                                            -- can show (consent wall, collapse) is judgements.quality, never an update here.
                                            -- Bytes equal to page_state.last_body_sha256: its effective_outcome and reason
    outcome_reason VARCHAR,                 -- 'failed: too_large' -> too_large; NULL for ok and not_modified
    unchanged     BOOLEAN     NOT NULL,     -- trusted 304, or bytes equal to last_body_sha256 or body_sha256 of page_state
    http_status   USMALLINT,                -- of the last hop; NULL if no answer
    duration_ms   UINTEGER,                 -- NULL while unchanged: 0 bytes a row; site_days counts only the others
    wire_bytes    UINTEGER,                 -- NULL while unchanged
    body_sha256   VARCHAR,                  -- 64 hex; NULL without a body, and while unchanged unless the page's last body
                                            -- was not its reference (then it says which of the two came back)
    final_url     VARCHAR,                  -- NULL when equal to pages.url
    headers_json  JSON,                     -- chosen response headers, cookies and secrets removed; NULL while unchanged
    rules_id      INTEGER     NOT NULL,
    commit_no     BIGINT      NOT NULL
);

CREATE TABLE blobs (                        -- key: sha256. Replaced. Files lie at data/blobs/<2>/<62>.zst
    sha256        VARCHAR     NOT NULL,     -- of the content before compression
    role          VARCHAR     NOT NULL,     -- body|text|diff. text = literal or normalised blocks of one body under one rules_id
    raw_bytes     UINTEGER    NOT NULL,
    stored_bytes  UINTEGER    NOT NULL,
    stored_at     TIMESTAMPTZ NOT NULL,     -- refreshed on re-use; the collector spares anything younger than 24 h
    pin           VARCHAR                   -- NULL|change|baseline|audit|hold: never collected
);

-- ───────────────────────────── 4 what was read and judged ────────────────
CREATE TABLE readings (                     -- key: (page_id, visit_no, rules_id). Replaced: the work list between fetch and classify.
    page_id       INTEGER     NOT NULL,
    visit_no      INTEGER     NOT NULL,
    site          VARCHAR     NOT NULL,
    day           DATE        NOT NULL,
    rules_id      INTEGER     NOT NULL,
    text_sha256   VARCHAR,                  -- blob, by extract: literal blocks with region
    extract_json  JSON        NOT NULL,     -- by extract: title, words, marks of block/consent/login pages, fields not found
    normal_sha256 VARCHAR,                  -- blob, by normalize: the same blocks with their normalised text; NULL = to do
    fingerprinted BOOLEAN     NOT NULL,     -- by fingerprint; FALSE = to do
    commit_no     BIGINT      NOT NULL
);

CREATE TABLE fingerprints (                 -- key: (page_id, visit_no, rules_id). Row only if the text differs from the page's
                                            -- previous fingerprint; otherwise the earlier row stands (as-of join). Replaced: blocks and text_sha256 are emptied by retention.
    page_id       INTEGER     NOT NULL,
    visit_no      INTEGER     NOT NULL,
    site          VARCHAR     NOT NULL,
    day           DATE        NOT NULL,
    rules_id      INTEGER     NOT NULL,
    text_hash     UBIGINT     NOT NULL,     -- xxh3-64 of the normalised text
    simhash       UBIGINT     NOT NULL,     -- 64 bits; algorithm = rules.fingerprint_version
    word_count    UINTEGER    NOT NULL,
    block_count   UINTEGER    NOT NULL,
    blocks        BLOB,                     -- packed 9 B a block (text hash 4, masked hash 2, tag path 2, words 1), reading order,
                                            -- hashes stable across processes (never Python's hash()). Kept for current and
                                            -- baseline; NULL once superseded
    block_diff    BLOB,                     -- packed changed blocks with anchors against the reference: what a ledger replay
                                            -- needs; capped at 4 KB, NULL if larger (then the visit is not replayable)
    text_sha256   VARCHAR                   -- blobs; NULL once collected
);

CREATE TABLE judgements (                   -- key: (set_id, page_id, visit_no, commit_no); the highest commit_no is in force.
                                            -- Append-only. Set 0 is live: a row for each visit with a body that is not `unchanged`. Set n > 0 holds ONLY rows that differ from set 0.
    set_id        INTEGER     NOT NULL,
    page_id       INTEGER     NOT NULL,
    visit_no      INTEGER     NOT NULL,
    site          VARCHAR     NOT NULL,
    day           DATE        NOT NULL,
    quality       VARCHAR     NOT NULL,     -- good|blocked|consent|login|soft_404|geo|shell|collapse|extraction_failed; only good is judged
    kind          VARCHAR,                  -- none|noise|content|field; NULL when there is nothing to compare:
                                            -- first visit, rebaselined, calibration, quality not good
    kind_reason   VARCHAR     NOT NULL,     -- first|rebaselined|calibration|not_good|bytes_equal|text_equal|fields|explained|
                                            -- unexplained|beyond_threshold|drift
    confirmation  VARCHAR     NOT NULL,     -- not_needed|waiting|confirmed|vanished; 'waiting' opens no review item and no alert.
                                            -- The confirm visit closes it by a second row with the final word (latest wins)
    also_content  BOOLEAN     NOT NULL,
    reference_visit_no INTEGER,             -- the visit it was judged against
    baseline_visit_no  INTEGER,
    -- evidence: kind is a PURE function of the next six columns and the threshold, so that a threshold backfill is one
    -- SQL statement and does not depend on the order of partitions
    fields_changed     USMALLINT NOT NULL,
    text_equal         BOOLEAN   NOT NULL,
    unexplained_blocks UINTEGER  NOT NULL,
    explained_blocks   UINTEGER  NOT NULL,
    distance           UTINYINT,            -- bits 0..64 to reference
    distance_baseline  UTINYINT,            -- bits 0..64 to baseline
    threshold_id       INTEGER,             -- thresholds in force
    rules_id           INTEGER   NOT NULL,
    reasons            JSON      NOT NULL,  -- list of {step, block, explained_by}: short; texts are in the diff blob
    diff_sha256        VARCHAR,             -- blobs: the readable diff as data; for content, field and waiting
    group_id           VARCHAR,             -- site event this visit belongs to: change_id of the first visit that showed it
    judged_at          TIMESTAMPTZ NOT NULL,
    commit_no          BIGINT    NOT NULL
);

CREATE TABLE judgement_sets (               -- key: set_id. Replaced. Set 0 = live. Promoting a set appends its rows to set 0
                                            -- with a new commit_no; nothing is overwritten, the old judgement stays readable.
    set_id        INTEGER     NOT NULL,
    cause         VARCHAR     NOT NULL,     -- live|thresholds|detector|rules
    from_day      DATE,
    to_day        DATE,
    sites         VARCHAR[],                -- NULL = all
    origin        VARCHAR,                  -- tag value of the backfill or run that made it; its other runs join
    status        VARCHAR     NOT NULL,     -- running|done|promoted|dropped
    rejudged      BIGINT      NOT NULL,     -- visits looked at; rows stored are the flips only
    not_replayable BIGINT     NOT NULL,     -- visits whose blocks or snapshot are gone
    started_at    TIMESTAMPTZ NOT NULL,
    finished_at   TIMESTAMPTZ
);

CREATE TABLE thresholds (                   -- key: threshold_id. Append-only; in force = the most specific applied row (page; site and
                                            -- type; site; type; all), the latest applied_at among equals
    threshold_id    INTEGER     NOT NULL,
    site            VARCHAR,                -- NULL = every site
    page_type       VARCHAR,                -- NULL = every type
    page_id         INTEGER,                -- NULL = every page of site and page_type
    noise_bits      UTINYINT    NOT NULL,   -- largest distance to the reference still noise; the default row has 64: decides nothing until calibrated
    drift_bits      UTINYINT    NOT NULL,   -- the same against the baseline; default 64
    method          VARCHAR     NOT NULL,   -- default|beta_binomial|manual
    fetches         INTEGER     NOT NULL,   -- n behind it
    max_seen_bits   UTINYINT,
    alpha           DOUBLE,                 -- asked false-alert rate, 0..1
    alpha_upper     DOUBLE,                 -- stated bound: Clopper-Pearson 95 %
    evidence_json   JSON        NOT NULL,
    proposed_at     TIMESTAMPTZ NOT NULL,
    applied_at      TIMESTAMPTZ,            -- NULL = proposal
    applied_by      VARCHAR                 -- person or 'auto' (auto may only make the asked rate smaller)
);

CREATE TABLE field_values (                 -- key: (page_id, visit_no, field_name, rules_id). Row only when value or state differs
                                            -- from the row before: a value holds until the page's next row for the field.
    page_id       INTEGER     NOT NULL,
    visit_no      INTEGER     NOT NULL,
    site          VARCHAR     NOT NULL,
    day           DATE        NOT NULL,
    field_name    VARCHAR     NOT NULL,     -- snake_case schema.org property or the user's own
    field_type    VARCHAR     NOT NULL,     -- price|number|availability|text|date|url|list|bool|duration (minutes)
    field_state   VARCHAR     NOT NULL,     -- value|missing|ambiguous|unreadable|conflict
    text_value    VARCHAR,                  -- canonical text of any type
    number_value  DECIMAL(28,8),            -- price amount, number; exact
    number_high   DECIMAL(28,8),            -- upper end of a range; NULL otherwise
    currency      VARCHAR,                  -- ISO 4217, inside the price: there is no separate price_currency field
    moment_value  TIMESTAMPTZ,
    bool_value    BOOLEAN,
    list_value    VARCHAR[],                -- sorted multiset
    raw_text      VARCHAR,                  -- as on the page, <= 500 characters
    source        VARCHAR     NOT NULL,     -- json_ld|microdata|rdfa|opengraph|css|xpath|regex|json_path|metadata
    repaired      BOOLEAN     NOT NULL,     -- the block it came from had to be mended to parse
    rules_id      INTEGER     NOT NULL
);

CREATE TABLE field_changes (                -- key: (set_id, page_id, visit_no, field_name). Append-only: THE dataset.
    set_id        INTEGER     NOT NULL,
    page_id       INTEGER     NOT NULL,
    visit_no      INTEGER     NOT NULL,
    site          VARCHAR     NOT NULL,
    day           DATE        NOT NULL,
    seen_at       TIMESTAMPTZ NOT NULL,     -- visited_at of the visit that showed it
    not_before_at TIMESTAMPTZ NOT NULL,     -- last visit that still showed the old value: the change lies between the two
    field_name    VARCHAR     NOT NULL,
    field_type    VARCHAR     NOT NULL,
    change_type   VARCHAR     NOT NULL,     -- value|appeared|vanished|state
    old_state     VARCHAR     NOT NULL,
    new_state     VARCHAR     NOT NULL,
    old_text      VARCHAR,
    new_text      VARCHAR,
    old_number    DECIMAL(28,8),
    new_number    DECIMAL(28,8),
    currency      VARCHAR,
    difference    DECIMAL(28,8),            -- new - old, unit of the field
    relative_difference DOUBLE,             -- difference / old; NULL when old is 0 or not a number
    members_added   VARCHAR[],
    members_removed VARCHAR[],
    source        VARCHAR     NOT NULL,
    alertable     BOOLEAN     NOT NULL      -- what the rule said then
);

-- ───────────────────────────── 5 where it goes ───────────────────────────
CREATE TABLE review_items (                 -- key: review_id. Replaced (status). review_id = 'v<page_id>-<visit_no>' or 'g<group_id>'
    review_id     VARCHAR     NOT NULL,
    site          VARCHAR     NOT NULL,
    page_id       INTEGER,                  -- NULL for a group
    visit_no      INTEGER,
    group_id      VARCHAR,
    cause         VARCHAR     NOT NULL,     -- content|also_content|field_lost|field_conflict|recalibrated|site_event|missed_sample|always_changing
    importance    DOUBLE      NOT NULL,
    set_id        INTEGER     NOT NULL,     -- 0, or the judgement set that opened it
    opened_at     TIMESTAMPTZ NOT NULL,
    closed_at     TIMESTAMPTZ,
    row_version   INTEGER     NOT NULL      -- for the second reviewer's 409
);

CREATE TABLE alerts (                       -- key: alert_id. Replaced (lease, status). The outbox; written by route
    alert_id      VARCHAR     NOT NULL,     -- sha256(subject, channel, rule), subject = change_id, 'g<group_id>' or incident_id: same in any retry or crash
    site          VARCHAR     NOT NULL,
    page_id       INTEGER,                  -- NULL for incidents and digests
    visit_no      INTEGER,
    channel       VARCHAR     NOT NULL,     -- name in quietdiff.yaml, never an address or a secret
    severity      VARCHAR     NOT NULL,     -- info|warning|critical
    payload_json  JSON        NOT NULL,
    status        VARCHAR     NOT NULL,     -- held|pending|leased|sent|dead
    status_reason VARCHAR,                  -- held by canary x, quiet hours, digest; last error, redacted
    attempts      USMALLINT   NOT NULL,
    next_attempt_at TIMESTAMPTZ,
    leased_until_at TIMESTAMPTZ,
    created_at    TIMESTAMPTZ NOT NULL,
    sent_at       TIMESTAMPTZ
);

-- ───────────────────────────── 6 rows to begin with ──────────────────────
INSERT INTO thresholds BY NAME
SELECT 1 AS threshold_id, 64 AS noise_bits, 64 AS drift_bits, 'default' AS method, 0 AS fetches, '{}' AS evidence_json,
       now() AS proposed_at, now() AS applied_at, 'auto' AS applied_by;
INSERT INTO judgement_sets BY NAME
SELECT 0 AS set_id, 'live' AS cause, 'running' AS status, 0 AS rejudged, 0 AS not_replayable, now() AS started_at;

-- ───────────────────────────── 7 views for analysts ──────────────────────
-- One row a visit with its final judgement in the live set; 'pending' until classify has run.
CREATE VIEW visit_results AS
SELECT v.site, p.page_name, p.url, v.page_id, v.visit_no, v.day, v.visited_at, v.purpose,
       v.outcome,
       CASE WHEN j.quality = 'soft_404' THEN 'gone' WHEN j.quality IN ('shell', 'collapse', 'extraction_failed') THEN 'failed'
            WHEN j.quality <> 'good' THEN 'blocked' ELSE v.outcome END AS effective_outcome,
       coalesce(v.outcome_reason, nullif(j.quality, 'good')) AS outcome_reason, v.http_status,
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

CREATE VIEW changes AS
SELECT 'v' || page_id || '-' || visit_no AS change_id, site, page_name, url, day, visited_at AS seen_at,
       kind, also_content, confirmation, distance, threshold, reasons, diff_sha256, group_id, page_id, visit_no
FROM visit_results
WHERE kind IN ('content', 'field') AND confirmation IN ('not_needed', 'confirmed');

CREATE VIEW price_history AS
SELECT f.site, p.page_name, v.visited_at AS from_at,
       lead(v.visited_at) OVER (PARTITION BY f.page_id, f.field_name ORDER BY f.visit_no) AS until_at,
       f.field_name, f.field_state, f.number_value AS price, f.number_high AS price_high, f.currency, f.source, f.raw_text
FROM (SELECT fv.*                           -- one row a visit: as the rules in force read it, or the latest before them
      FROM field_values fv JOIN pages q ON q.page_id = fv.page_id
      WHERE fv.field_type = 'price'
      QUALIFY row_number() OVER (PARTITION BY fv.page_id, fv.visit_no, fv.field_name
                                 ORDER BY (fv.rules_id = q.rules_id) DESC, fv.rules_id DESC) = 1) f
JOIN visits v USING (page_id, visit_no)
JOIN pages p ON p.page_id = f.page_id;

CREATE VIEW calibration_log AS
SELECT site, page_name, page_id, visit_no, visited_at, purpose, kind, kind_reason, confirmation, distance, distance_baseline, threshold
FROM visit_results
WHERE purpose = 'calibrate' OR kind = 'noise' OR confirmation = 'vanished';

CREATE VIEW kind_rates AS
SELECT r.site, r.day, count(*) AS visit_count,
       count(*) FILTER (r.kind = 'none')    AS none_count,
       count(*) FILTER (r.kind = 'noise' OR r.confirmation = 'vanished') AS noise_count,
       count(*) FILTER (r.kind = 'content' AND coalesce(r.confirmation, '') NOT IN ('waiting', 'vanished')) AS content_count,
       count(*) FILTER (r.kind = 'field')   AS field_count,
       count(*) FILTER (r.kind IS NULL)     AS unjudged_count
FROM visit_results r JOIN pages p USING (page_id)
WHERE p.page_role = 'watched' AND r.purpose IN ('watch', 'audit')
GROUP BY r.site, r.day;

COMMENT ON VIEW changes IS 'One row per confirmed content or field change; times are UTC';
COMMENT ON COLUMN visits.day IS 'UTC day of the Dagster partition the visit was made for';

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
COMMENT ON COLUMN visit_results.quality IS 'Whether the text was the page at all: good, blocked, consent, login, soft_404, geo, shell, collapse, extraction_failed';
COMMENT ON COLUMN visit_results.confirmation IS 'not_needed, waiting for a second fetch, confirmed, or vanished by then';
COMMENT ON COLUMN visit_results.also_content IS 'A field visit whose text also changed beyond noise';
COMMENT ON COLUMN visit_results.distance IS 'Bits (0..64) by which the simhash differs from the reference';
COMMENT ON COLUMN visit_results.distance_baseline IS 'Bits (0..64) by which the simhash differs from the baseline';
COMMENT ON COLUMN visit_results.threshold IS 'Largest distance still noise, 0..64; 64 decides nothing';
COMMENT ON COLUMN visit_results.unexplained_blocks IS 'Changed blocks that nothing explains';
COMMENT ON COLUMN visit_results.reasons IS 'List of {step, block, explained_by}';
COMMENT ON COLUMN visit_results.diff_sha256 IS 'Blob with the readable diff; see quietdiff diff';
COMMENT ON COLUMN visit_results.group_id IS 'Site-wide event the visit belongs to: change_id of the first visit that showed it';

COMMENT ON COLUMN changes.change_id IS 'v<page_id>-<visit_no> of the visit that showed the change';
COMMENT ON COLUMN changes.site IS 'Site: file name of sites/<site>.yaml';
COMMENT ON COLUMN changes.page_name IS 'Name of the page in its site file';
COMMENT ON COLUMN changes.url IS 'URL as requested';
COMMENT ON COLUMN changes.day IS 'UTC day of the partition the visit was made for';
COMMENT ON COLUMN changes.seen_at IS 'When the visit that showed the change began, UTC';
COMMENT ON COLUMN changes.kind IS 'content or field';
COMMENT ON COLUMN changes.also_content IS 'A field change whose text also changed beyond noise';
COMMENT ON COLUMN changes.confirmation IS 'not_needed or confirmed';
COMMENT ON COLUMN changes.distance IS 'Bits (0..64) by which the simhash differs from the reference';
COMMENT ON COLUMN changes.threshold IS 'Largest distance still noise, 0..64; 64 decides nothing';
COMMENT ON COLUMN changes.reasons IS 'List of {step, block, explained_by}';
COMMENT ON COLUMN changes.diff_sha256 IS 'Blob with the readable diff; see quietdiff diff';
COMMENT ON COLUMN changes.group_id IS 'Site-wide event the change belongs to, or NULL';
COMMENT ON COLUMN changes.page_id IS 'Page';
COMMENT ON COLUMN changes.visit_no IS 'Number of the visit within the page';

COMMENT ON VIEW price_history IS 'One row per price of a page from the visit that first showed it until the next row; times are UTC';
COMMENT ON COLUMN price_history.site IS 'Site: file name of sites/<site>.yaml';
COMMENT ON COLUMN price_history.page_name IS 'Name of the page in its site file';
COMMENT ON COLUMN price_history.from_at IS 'When the price was first seen, UTC';
COMMENT ON COLUMN price_history.until_at IS 'When the next price was first seen, UTC; NULL for the price now';
COMMENT ON COLUMN price_history.field_name IS 'Name of the price field';
COMMENT ON COLUMN price_history.field_state IS 'value, missing, ambiguous, unreadable or conflict';
COMMENT ON COLUMN price_history.price IS 'Exact amount in units of the currency; NULL unless field_state is value';
COMMENT ON COLUMN price_history.price_high IS 'Upper end of a price range, or NULL';
COMMENT ON COLUMN price_history.currency IS 'ISO 4217 code, or NULL when the page does not say';
COMMENT ON COLUMN price_history.source IS 'Where the value was read: json_ld, microdata, opengraph, css ...';
COMMENT ON COLUMN price_history.raw_text IS 'The value as on the page, at most 500 characters';

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

COMMENT ON VIEW kind_rates IS 'Visits per site, day and kind; watched pages, purposes watch and audit';
COMMENT ON COLUMN kind_rates.site IS 'Site: file name of sites/<site>.yaml';
COMMENT ON COLUMN kind_rates.day IS 'UTC day of the partition';
COMMENT ON COLUMN kind_rates.visit_count IS 'Visits of purpose watch or audit';
COMMENT ON COLUMN kind_rates.none_count IS 'Visits at which nothing changed';
COMMENT ON COLUMN kind_rates.noise_count IS 'Visits that showed only noise, vanished changes included';
COMMENT ON COLUMN kind_rates.content_count IS 'Visits that showed a content change, waiting and vanished ones left out';
COMMENT ON COLUMN kind_rates.field_count IS 'Visits that showed a field change';
COMMENT ON COLUMN kind_rates.unjudged_count IS 'Visits without a kind: first, failed, blocked or not yet classified';
