"""Tree -> steps -> data-flow graph."""
