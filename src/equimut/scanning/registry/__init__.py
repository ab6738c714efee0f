"""What people decided: keys, the registry, reviews, the last scan."""
