-- What a page's noise has taught about which of its places are habitually volatile.

CREATE TABLE ledger_states (                -- key: (set_id, page_id, day). Replaced within its day; row only for a day on which it changed.
    set_id           INTEGER   NOT NULL,    -- 0 = live; a replay of rules or detector writes its own set, never the live one
    page_id          INTEGER   NOT NULL,
    day              DATE      NOT NULL,    -- state after the last visit of that partition day
    visit_no         INTEGER   NOT NULL,    -- last visit folded in
    detector_version INTEGER   NOT NULL,
    state            BLOB      NOT NULL     -- packed counts, texts seen, path shares and pins; median 0.35 KB, at most 6.2 KB
);

COMMENT ON TABLE ledger_states IS 'Which places of a page are habitually volatile, as of the end of a day on which that changed';
