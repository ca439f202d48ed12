"""What is computed again: terms of a loop that no step changes, equal terms, equal calls."""
