DELETE FROM sightings AS s USING batch b WHERE s.site = b.site AND s.visited_at < b.before_at;
