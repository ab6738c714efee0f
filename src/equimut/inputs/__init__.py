"""From source text to tensors: sub-tokens and graph, window, attention mask, cache, batch.

Everything but `batch` needs numpy only.
"""
