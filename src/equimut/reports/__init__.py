"""Mutation tools' reports: read into records, written back the way the tool itself would."""
