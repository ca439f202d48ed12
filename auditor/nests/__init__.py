"""Nests of loops that fill arrays cell by cell: reading them, and whole-array code instead."""
