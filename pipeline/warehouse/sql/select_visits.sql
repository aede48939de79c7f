SELECT v.page_id, v.visit_no, v.body_sha256, v.visited_at, v.day, v.purpose FROM visits v JOIN batch b USING (page_id, visit_no);
