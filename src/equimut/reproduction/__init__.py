"""The whole study in one go: which trainings it needs, what they gave, and the page about it."""
