"""The published datasets: fetched, read, made into pairs."""
