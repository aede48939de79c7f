SELECT coalesce(max(commit_no), 0) + 1 AS commit_no FROM commits;
