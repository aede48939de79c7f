-- What every open compares: the migrations that were run, and the highest commit that is held.
SELECT (SELECT list(sha256 ORDER BY migration_no) FROM schema_migrations) AS migrations,
       (SELECT coalesce(max(commit_no), 0) FROM commits) AS commit_no;
