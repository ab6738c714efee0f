"""The command line: thin commands only. Each command imports what it needs when it runs."""
