"""Where a verdict comes from: texts, proofs, the oracle, the model."""
