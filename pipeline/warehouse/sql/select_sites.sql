SELECT * FROM sites;
