SELECT migration_no, file_name, sha256, applied_at FROM schema_migrations ORDER BY migration_no;
