-- Open review items of the sites in `batch` for a text change that has joined a site event since.
SELECT r.review_id, j.group_id
FROM review_items r
SEMI JOIN batch b ON b.site = r.site
JOIN (SELECT page_id, visit_no, group_id, confirmation
      FROM judgements SEMI JOIN batch USING (site)
      WHERE set_id = 0
      QUALIFY row_number() OVER (PARTITION BY page_id, visit_no ORDER BY commit_no DESC) = 1) j
    ON j.page_id = r.page_id AND j.visit_no = r.visit_no
WHERE r.closed_at IS NULL AND r.set_id = 0 AND r.cause IN ('content', 'also_content') AND j.group_id IS NOT NULL
ORDER BY r.review_id;
