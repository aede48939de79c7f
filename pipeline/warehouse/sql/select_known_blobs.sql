-- Those of `batch` (sha256) that have a row.
SELECT b.sha256 FROM batch b SEMI JOIN blobs USING (sha256);
