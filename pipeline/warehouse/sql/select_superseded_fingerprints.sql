-- Fingerprints whose packed blocks nothing can ask for any more. Kept are, under every rules: the row in force at the
-- reference, at the baseline and at a candidate that waits; the last one, on which a next visit with the same text
-- leans; and those of visits that are not judged yet.
WITH waiting AS (
    SELECT page_id, visit_no
    FROM judgements
    WHERE set_id = 0
    QUALIFY row_number() OVER (PARTITION BY page_id, visit_no ORDER BY commit_no DESC) = 1 AND confirmation = 'waiting'
),
held AS (
    SELECT page_id, unnest([last_good_visit_no, baseline_visit_no, 2147483647]) AS visit_no FROM page_state
    UNION
    FROM waiting
),
kept AS (
    SELECT f.page_id, max(f.visit_no) AS visit_no, f.rules_id
    FROM fingerprints f JOIN held h ON h.page_id = f.page_id AND f.visit_no <= h.visit_no
    GROUP BY f.page_id, f.rules_id, h.visit_no
)
SELECT f.page_id, f.visit_no, f.rules_id
FROM fingerprints f
ANTI JOIN kept k ON k.page_id = f.page_id AND k.visit_no = f.visit_no AND k.rules_id = f.rules_id
ANTI JOIN readings r ON r.page_id = f.page_id AND r.visit_no = f.visit_no
WHERE f.blocks IS NOT NULL
LIMIT $limit;
