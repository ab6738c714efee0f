"""Rules that prove a mutant equivalent from its text alone; each says why it is sound."""
