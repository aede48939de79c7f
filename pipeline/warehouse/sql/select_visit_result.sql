-- One visit with its final judgement, and when its reference was visited.
SELECT r.*, b.visited_at AS reference_visited_at, e.page_count AS group_pages
FROM visit_results r
LEFT JOIN (SELECT page_id, visit_no, reference_visit_no FROM judgements WHERE set_id = 0
           QUALIFY row_number() OVER (PARTITION BY page_id, visit_no ORDER BY commit_no DESC) = 1) j
       ON j.page_id = r.page_id AND j.visit_no = r.visit_no
LEFT JOIN visits b ON b.page_id = j.page_id AND b.visit_no = j.reference_visit_no
LEFT JOIN site_events e ON e.group_id = r.group_id
WHERE r.page_id = $page_id AND r.visit_no = $visit_no;
