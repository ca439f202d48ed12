"""What need not be read at all, decided from the words of a function."""
