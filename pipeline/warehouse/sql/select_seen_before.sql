-- When each value of `batch` last began before the visit that changed to it; no row: never.
SELECT b.page_id, b.visit_no, b.field_name, max(v.visited_at) AS seen_before_at
FROM batch b
JOIN field_values f ON f.page_id = b.page_id AND f.field_name = b.field_name AND f.visit_no < b.visit_no
    AND f.field_state = 'value' AND f.text_value = b.text_value
JOIN visits v ON v.page_id = f.page_id AND v.visit_no = f.visit_no
GROUP BY ALL;
