-- Every visit of a deployment with its result, by page in visit order; for the demo's report.
SELECT * FROM visit_results ORDER BY page_id, visit_no;
