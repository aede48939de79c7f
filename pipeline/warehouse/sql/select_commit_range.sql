SELECT coalesce(max(commit_no), 0), count(DISTINCT commit_no) FILTER (commit_no >= 1) FROM commits;
