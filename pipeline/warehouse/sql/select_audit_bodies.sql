-- Bodies to pin as audit snapshots: the first good one of each page, and the one that was in force when a period of
-- $seconds since 1970 began. A body is in force until the next good one; unchanged visits show it again.
WITH judged AS (
    SELECT page_id, visit_no, quality
    FROM judgements
    WHERE set_id = 0
    QUALIFY row_number() OVER (PARTITION BY page_id, visit_no ORDER BY commit_no DESC) = 1
),
good AS (
    SELECT v.page_id, v.visit_no, v.body_sha256,
           floor(epoch(v.visited_at) / $seconds) AS period,
           coalesce(lead(floor(epoch(v.visited_at) / $seconds)) OVER page,
                    floor(epoch($now::TIMESTAMPTZ) / $seconds)) AS next_period,
           row_number() OVER page AS good_no
    FROM visits v JOIN judged j USING (page_id, visit_no)
    WHERE NOT v.unchanged AND v.body_sha256 IS NOT NULL AND j.quality = 'good'
    WINDOW page AS (PARTITION BY v.page_id ORDER BY v.visit_no)
)
SELECT DISTINCT b.sha256
FROM good g JOIN blobs b ON b.sha256 = g.body_sha256
WHERE b.pin IS NULL AND (g.good_no = 1 OR g.next_period > g.period)
LIMIT $limit;
