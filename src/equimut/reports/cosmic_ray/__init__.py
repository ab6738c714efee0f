"""cosmic-ray's sessions."""
