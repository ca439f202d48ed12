"""Mixtures of experts: which modules an object holds, which of them a token chooses, what is added
up of what they give."""
