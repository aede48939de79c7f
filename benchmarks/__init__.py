"""What was measured, each one command; see README.md."""
