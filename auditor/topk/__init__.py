"""Selections of the k best, from loops and from sorts."""
