-- Live changes of the sites in `batch`, final and not yet routed: no field change and no review item.
WITH live AS (
    SELECT j.*
    FROM judgements j JOIN (SELECT DISTINCT site FROM batch) b USING (site)
    WHERE j.set_id = 0
    QUALIFY row_number() OVER (PARTITION BY j.page_id, j.visit_no ORDER BY j.commit_no DESC) = 1
)
SELECT j.page_id, j.visit_no, j.site, j.day, j.kind, j.also_content, j.diff_sha256, j.reference_visit_no, j.group_id,
       v.visited_at, p.page_name, p.url, p.importance, s.last_alerted_json,
       (SELECT max(e.visited_at)
        FROM visits e
        LEFT JOIN (SELECT page_id, visit_no, any_value(quality) AS quality FROM judgements WHERE set_id = 0 GROUP BY ALL) q
            USING (page_id, visit_no)
        WHERE e.page_id = j.page_id AND e.visit_no < j.visit_no AND e.visit_no >= j.reference_visit_no
          AND e.outcome IN ('ok', 'not_modified') AND coalesce(q.quality, 'good') = 'good') AS not_before_at
FROM live j
JOIN visits v ON v.page_id = j.page_id AND v.visit_no = j.visit_no
JOIN pages p ON p.page_id = j.page_id
JOIN page_state s ON s.page_id = j.page_id
WHERE j.kind IN ('content', 'field') AND j.confirmation IN ('not_needed', 'confirmed')
  AND NOT EXISTS (FROM field_changes c WHERE c.set_id = 0 AND c.page_id = j.page_id AND c.visit_no = j.visit_no)
  AND NOT EXISTS (FROM review_items r WHERE r.page_id = j.page_id AND r.visit_no = j.visit_no)
ORDER BY j.page_id, j.visit_no;
