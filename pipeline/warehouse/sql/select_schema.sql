SELECT c.table_name, c.column_name, c.data_type
FROM duckdb_columns() c
JOIN duckdb_tables() t USING (database_name, schema_name, table_name)
WHERE NOT c.internal AND c.database_name = current_database()
ORDER BY c.table_name, c.column_index;
