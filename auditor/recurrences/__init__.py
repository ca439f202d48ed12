"""Loops whose steps compose: what replaces the loop, and the code for all steps at once."""
