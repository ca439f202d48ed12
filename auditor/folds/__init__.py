"""Loops that fold: every carried name is combined with one value a step."""
