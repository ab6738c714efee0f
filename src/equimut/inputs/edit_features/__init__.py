"""Named features of an edit, for regressions and for the head of a network."""
