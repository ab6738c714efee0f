"""Datasets become pairs here: fetched, read, checked, cleaned and split."""
