"""Detection quality on labelled pairs of real and semi-synthetic pages."""
