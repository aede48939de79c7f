"""Everything in this folder is loaded: one file a stage, and what they run on.

What needs no partition key, run id or log tab does not belong here but in `pipeline`.
"""
