"""The machines that profit can be judged for; ``auto`` is the CPU."""

TARGETS = ("auto", "cpu", "cuda", "h200")
