"""Reports for tests."""
