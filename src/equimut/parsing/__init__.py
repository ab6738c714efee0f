"""Text -> tree -> tokens -> data-flow graph; finding, cutting out and splicing functions."""
