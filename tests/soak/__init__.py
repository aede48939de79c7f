"""Long trials of what must hold whatever happens; the tests run a few of each."""
