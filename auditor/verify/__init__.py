"""Verification: running the original and the rewritten code on the same inputs."""
