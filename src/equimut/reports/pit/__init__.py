"""PIT's reports: bytecode mutations located in the source."""
