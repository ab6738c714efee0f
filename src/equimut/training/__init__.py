"""The one training loop: objective, optimiser, checkpoints, runs on disk."""
