"""Labels for C by the code that gcc generates."""
