"""Means, variances and values that are standardised with them, written by hand."""
