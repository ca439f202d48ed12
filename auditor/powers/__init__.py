"""Loops that apply the same map at every step: reading them, and the code that doubles instead."""
