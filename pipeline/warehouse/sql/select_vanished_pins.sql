-- Blobs pinned for a change that vanished before $before and is none, unless another change or a waiting one needs them.
-- The texts of a side are those of the fingerprints in force at it, under whatever rules.
WITH live AS (
    SELECT page_id, visit_no, reference_visit_no, diff_sha256, confirmation, judged_at
    FROM judgements
    WHERE kind IN ('content', 'field')
    QUALIFY row_number() OVER (PARTITION BY set_id, page_id, visit_no ORDER BY commit_no DESC) = 1
),
sides AS (
    SELECT page_id, unnest([visit_no, reference_visit_no]) AS visit_no,
           confirmation = 'vanished' AND judged_at < $before AS gone
    FROM live
),
texts AS (
    SELECT f.text_sha256 AS sha256, s.gone
    FROM sides s
    JOIN fingerprints f ON f.page_id = s.page_id AND f.visit_no <= s.visit_no
    QUALIFY row_number() OVER (PARTITION BY s.page_id, s.visit_no, s.gone, f.rules_id ORDER BY f.visit_no DESC) = 1
),
named AS (
    SELECT diff_sha256 AS sha256, confirmation = 'vanished' AND judged_at < $before AS gone FROM live
    UNION ALL
    SELECT v.body_sha256, s.gone FROM sides s JOIN visits v USING (page_id, visit_no)
    UNION ALL
    FROM texts
)
SELECT b.sha256
FROM blobs b JOIN named n USING (sha256)
WHERE b.pin = 'change'
GROUP BY b.sha256
HAVING bool_and(n.gone)
LIMIT $limit;
