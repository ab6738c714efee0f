"""Values that carry their type: what an operation does with them depends on what they are."""
