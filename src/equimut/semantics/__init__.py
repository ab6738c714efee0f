"""The typed syntax tree: declarations, types, defaults, effects."""
