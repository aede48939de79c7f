-- Bytes of the file whose blocks hold nothing.
SELECT free_blocks * block_size FROM pragma_database_size() WHERE database_name = current_database();
