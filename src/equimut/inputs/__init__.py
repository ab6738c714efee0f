"""From source text to tensors: sub-tokens and graph, window, attention mask, cache, batch.

`encode` and the cache need numpy only; `collate`, `buckets` and `embedding` import torch.
"""
