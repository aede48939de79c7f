SELECT sha256, stored_bytes, role FROM blobs ORDER BY sha256;
