"""Keeping the store well: finding faults, copying it away and back, and bounding its size."""
