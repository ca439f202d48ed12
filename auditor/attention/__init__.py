"""Attention: its reading off a term, and its operands and masks as code."""
