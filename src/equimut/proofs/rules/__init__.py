"""Rules that prove a mutant equivalent from its syntax; each says why it is sound."""
