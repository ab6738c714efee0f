"""The verified benchmark that ships with the package."""
