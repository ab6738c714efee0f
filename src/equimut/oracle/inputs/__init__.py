"""The inputs an origin and its mutants are run on."""
