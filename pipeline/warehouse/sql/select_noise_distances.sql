-- Distances at which nothing had happened, of every active page: `calibrate` between two rapid fetches (a fetch of equal
-- bytes is at 0 bits), `later` of visits since then that the blocks explain whatever their distance, or whose candidate
-- was gone at the second look. The last `most` of each, in order.
WITH judged AS (
    SELECT * FROM judgements WHERE set_id = 0
    QUALIFY row_number() OVER (PARTITION BY page_id, visit_no ORDER BY commit_no DESC) = 1
), fetches AS (
    SELECT v.page_id, v.visit_no, v.purpose, v.unchanged, j.kind_reason, j.distance, j.unexplained_blocks,
           j.fields_changed, j.confirmation,
           lag(v.purpose) OVER page AS purpose_before, v.visited_at - lag(v.visited_at) OVER page AS gap
    FROM visits v
    LEFT JOIN judged j ON j.page_id = v.page_id AND j.visit_no = v.visit_no
    WHERE v.outcome IN ('ok', 'not_modified') AND (v.unchanged OR j.quality = 'good')
    WINDOW page AS (PARTITION BY v.page_id ORDER BY v.visit_no)
), noise AS (
    SELECT page_id, visit_no, 'calibrate' AS origin, CASE WHEN unchanged THEN 0 ELSE distance END AS bits
    FROM fetches
    WHERE purpose = 'calibrate' AND purpose_before = 'calibrate' AND gap < INTERVAL 1 HOUR
    UNION ALL
    SELECT page_id, visit_no, 'later', distance
    FROM fetches
    WHERE purpose <> 'calibrate' AND NOT unchanged AND fields_changed = 0
      AND (unexplained_blocks = 0 OR confirmation = 'vanished')
      AND visit_no > (SELECT max(c.visit_no) FROM visits c WHERE c.page_id = fetches.page_id AND c.purpose = 'calibrate')
)
SELECT n.page_id, n.origin, n.bits::INTEGER AS bits
FROM noise n JOIN pages p USING (page_id)
WHERE p.active AND n.bits IS NOT NULL
QUALIFY row_number() OVER (PARTITION BY n.page_id, n.origin ORDER BY n.visit_no DESC) <= $most
ORDER BY n.page_id, n.origin, n.visit_no;
