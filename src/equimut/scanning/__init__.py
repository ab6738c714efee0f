"""From a report to verdicts: evidence before opinion, what people accepted, and the scores."""
