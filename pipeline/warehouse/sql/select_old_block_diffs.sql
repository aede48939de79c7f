-- Fingerprints of visits before $day that still carry what a replay of the ledger would need.
SELECT page_id, visit_no, rules_id FROM fingerprints WHERE block_diff IS NOT NULL AND day < $day LIMIT $limit;
