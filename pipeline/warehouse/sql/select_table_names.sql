-- Every table of the database that is open, not of those attached to it.
SELECT table_name FROM duckdb_tables() WHERE database_name = current_database() ORDER BY table_oid;
