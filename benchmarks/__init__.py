"""Measurements of kernels and audits; results with their provenance lie in results/."""
