-- Alerts of the sites in `batch` that wait for more visits to show their value: how many good ones have, and whether it has moved since.
SELECT a.alert_id, a.page_id, a.visit_no, (a.payload_json ->> 'field') AS field_name,
       CAST((a.payload_json ->> 'stable_for') AS INTEGER) AS stable_for, j.diff_sha256, s.last_alerted_json,
       EXISTS (FROM field_changes c
               WHERE c.set_id = 0 AND c.page_id = a.page_id AND c.visit_no > a.visit_no
                 AND c.field_name = (a.payload_json ->> 'field')) AS moved,
       (SELECT count(*)
        FROM visits e
        LEFT JOIN (SELECT page_id, visit_no, any_value(quality) AS quality FROM judgements WHERE set_id = 0 GROUP BY ALL) q
            USING (page_id, visit_no)
        WHERE e.page_id = a.page_id AND e.visit_no >= a.visit_no AND e.visit_no <= s.last_visit_no
          AND e.outcome IN ('ok', 'not_modified')
          AND coalesce(q.quality, CASE WHEN e.outcome = 'not_modified' OR e.unchanged THEN 'good' END) = 'good') AS shown
FROM alerts a
JOIN (SELECT DISTINCT site FROM batch) b ON b.site = a.site
JOIN page_state s ON s.page_id = a.page_id
JOIN (SELECT page_id, visit_no, diff_sha256
      FROM judgements
      WHERE set_id = 0
      QUALIFY row_number() OVER (PARTITION BY page_id, visit_no ORDER BY commit_no DESC) = 1) j
    ON j.page_id = a.page_id AND j.visit_no = a.visit_no
WHERE a.status = 'held' AND (a.payload_json ->> 'stable_for') IS NOT NULL
ORDER BY a.created_at, a.alert_id;
