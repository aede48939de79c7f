"""How right and how cheap the reading of fields is."""
