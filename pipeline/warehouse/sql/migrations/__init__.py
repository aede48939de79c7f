"""Numbered, append-only migrations; a file that was once released is never edited."""
