-- Fingerprints name no text that was let go of.
UPDATE fingerprints SET text_sha256 = NULL WHERE text_sha256 IN (SELECT sha256 FROM batch);
