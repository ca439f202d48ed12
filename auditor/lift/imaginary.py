"""Which code makes complex numbers, of which no sign is known and which are not ordered."""

from __future__ import annotations

import re
from functools import lru_cache

_MAKES = re.compile(
    r"(?<!\w)\d[\d_.]*(?:e[+-]?\d+)?j\b"  # a literal
    r"|complex|\bc(?:float|double)\b"
    r"|\b(?:r|i|ih)?fft[2n]?\b(?!\s*\.)|\bstft\b|\bpolar\b|\bhilbert\b|\broots\b|\beig(?:vals)?\b",
    re.IGNORECASE,
)


@lru_cache(maxsize=4096)
def speaks_of_complex(text: str) -> bool:
    """Whether an expression, or the code that makes a value, has complex numbers in it: a literal,
    a type, a Fourier transform, the roots of a polynomial."""
    return _MAKES.search(text) is not None
