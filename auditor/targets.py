"""The machines that profit can be judged for by name, ``auto`` being the CPU; others are described
by files of this kind."""

TARGETS = ("auto", "cpu", "cuda", "h200")
DESCRIPTION = ".toml"
