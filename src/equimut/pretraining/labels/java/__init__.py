"""Labels for Java methods that can stand alone, run by the oracle."""
