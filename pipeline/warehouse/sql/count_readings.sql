-- Readings of the sites in `batch` up to their days: what classify has not judged yet.
SELECT count(*) AS reading_count FROM readings r JOIN batch b ON b.site = r.site AND r.day <= b.day;
