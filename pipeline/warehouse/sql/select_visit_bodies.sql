SELECT v.page_id, v.visit_no, v.body_sha256, v.final_url, v.headers_json
FROM visits v JOIN batch b USING (page_id, visit_no);
