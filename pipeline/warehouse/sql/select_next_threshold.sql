SELECT max(threshold_id)::INTEGER + 1 AS threshold_id FROM thresholds;
