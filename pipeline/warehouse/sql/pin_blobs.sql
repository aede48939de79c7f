-- A hold stays a hold, whatever else the blob is pinned for or let go of.
UPDATE blobs SET pin = $pin WHERE sha256 IN (SELECT sha256 FROM batch) AND pin IS DISTINCT FROM 'hold';
