SELECT count(*) FROM duckdb_tables() WHERE table_name = 'schema_migrations';
