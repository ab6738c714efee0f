"""Pretraining: corpus, cheap labels, and the encoder that we ship."""
