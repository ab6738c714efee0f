"""What other files of a Java project tell."""
