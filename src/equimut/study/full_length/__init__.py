"""The study at the paper's length: records, how they are filled, verdicts, pictures."""
