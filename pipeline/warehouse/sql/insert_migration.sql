INSERT INTO schema_migrations BY NAME
SELECT $number AS migration_no, $name AS file_name, $sha256 AS sha256, now() AS applied_at, $code_version AS code_version;
