"""What the store weighs, and how long it takes to ask and to write."""
