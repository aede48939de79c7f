-- The newest changes of the sites in `batch`, with their fields in words, for the table in the run's metadata.
SELECT c.seen_at, c.site, c.page_name, c.kind, c.change_id,
       coalesce(string_agg(f.field_name || ': ' || coalesce(f.old_text, f.old_state) || ' → '
                           || coalesce(f.new_text, f.new_state), '; ' ORDER BY f.field_name), '') AS fields
FROM changes c
JOIN (SELECT DISTINCT site FROM batch) b USING (site)
LEFT JOIN field_changes f ON f.set_id = 0 AND f.page_id = c.page_id AND f.visit_no = c.visit_no
GROUP BY ALL
ORDER BY c.seen_at DESC, c.page_name
LIMIT $limit;
