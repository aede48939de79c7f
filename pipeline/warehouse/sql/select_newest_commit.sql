SELECT coalesce(max(commit_no), 0) AS commit_no FROM commits;
