SELECT migration_no, sha256 FROM schema_migrations;
