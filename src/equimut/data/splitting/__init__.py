"""Protocols, folds, validation splits and checks of a dataset."""
