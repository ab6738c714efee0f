"""A data-flow graph for people: layout, mask, picture, terminal."""
