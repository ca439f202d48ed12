"""Windows that slide along arrays, laid out as views: reading them, and saying them as code."""
