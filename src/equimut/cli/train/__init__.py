"""Commands to train and evaluate."""
