"""Sums over lags and matrices of lags: reading them, and convolutions instead."""
