"""Sums and extrema at every place of a list or an array, told from their notation."""
