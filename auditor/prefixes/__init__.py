"""Loops that keep what they have folded so far at every step: reading them, and their code."""
