"""Finds loops and tensor expressions whose algebra allows a faster program."""

__version__ = "0.1.0"
