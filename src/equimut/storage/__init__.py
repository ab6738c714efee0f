"""Files and caches: written whole or not at all, JSON lines, the user's cache, code versions."""
