DELETE FROM sites WHERE site IN (SELECT site FROM batch);
