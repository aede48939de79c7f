-- Visits of one page that brought a body of their own, in order, with what was said of each; bodies that are gone have no blob.
SELECT r.visit_no, r.visited_at, r.purpose, r.kind, r.kind_reason, r.confirmation, r.quality, v.body_sha256,
       coalesce(v.final_url, r.url) AS url, v.headers_json ->> 'content-type' AS content_type,
       b.sha256 IS NOT NULL AS kept
FROM visit_results r
JOIN visits v USING (page_id, visit_no)
JOIN pages p ON p.page_id = r.page_id
LEFT JOIN blobs b ON b.sha256 = v.body_sha256
WHERE p.site = $site AND p.page_name = $page AND p.active AND v.outcome = 'ok' AND v.body_sha256 IS NOT NULL AND NOT v.unchanged
ORDER BY r.visit_no;
