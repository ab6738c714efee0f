"""The paper put to the test: which trainings it needs, what they gave, and the page about it."""
