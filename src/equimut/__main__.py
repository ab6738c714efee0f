"""``python -m equimut``."""

from equimut.cli.main import main

main()
