UPDATE blobs SET pin = $pin WHERE sha256 IN (SELECT sha256 FROM batch);
