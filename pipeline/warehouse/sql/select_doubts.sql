-- Since the last good visit of each page in `batch`, those against which only the page's past spoke ($qualities), with their
-- fingerprints under the page's present rules: the first of each hour, at most the last 200.
SELECT j.page_id, j.visit_no, v.visited_at, f.simhash, f.word_count
FROM judgements j
JOIN batch b USING (page_id)
JOIN page_state s ON s.page_id = j.page_id AND j.visit_no > s.last_good_visit_no
JOIN pages p ON p.page_id = j.page_id
JOIN visits v ON v.page_id = j.page_id AND v.visit_no = j.visit_no
JOIN fingerprints f ON f.page_id = j.page_id AND f.rules_id = p.rules_id AND f.visit_no <= j.visit_no
WHERE j.set_id = 0 AND list_contains($qualities, j.quality)
QUALIFY row_number() OVER (PARTITION BY j.page_id, j.visit_no, j.commit_no ORDER BY f.visit_no DESC) = 1
    AND row_number() OVER (PARTITION BY j.page_id, date_trunc('hour', v.visited_at) ORDER BY j.visit_no, f.visit_no DESC) = 1
    AND dense_rank() OVER (PARTITION BY j.page_id ORDER BY date_trunc('hour', v.visited_at) DESC) <= 200
ORDER BY j.page_id, j.visit_no;
