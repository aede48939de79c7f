-- The newest changes of the sites in `batch`, with what changed in words, for the table in the run's metadata.
WITH said AS (
    SELECT page_id, visit_no, string_agg(field_name || ': ' || CASE
            WHEN members_removed IS NOT NULL OR members_added IS NOT NULL THEN
                concat_ws(', ', 'lost ' || array_to_string(members_removed, ', '),
                                'gained ' || array_to_string(members_added, ', '))
            ELSE coalesce(old_text, old_state) || ' → ' || coalesce(new_text, new_state) END,
        '; ' ORDER BY field_name) AS fields
    FROM field_changes
    WHERE set_id = 0
    GROUP BY ALL
)
SELECT c.seen_at, c.site, c.page_name, c.kind, c.change_id,
       coalesce(said.fields, 'text changed: ' || (c.reasons->0->>'block'), '') AS what
FROM changes c
JOIN (SELECT DISTINCT site FROM batch) b USING (site)
LEFT JOIN said USING (page_id, visit_no)
ORDER BY c.seen_at DESC, c.page_name
LIMIT $limit;
