"""What a power costs, and how it is written."""

from __future__ import annotations

import re

TYPICAL_STEPS = 1024
"""Steps of code that does not say how many it takes, as in ``auditor.cost.profit``."""

OVERFLOW = "where a product of Python's floats would be infinite, a power raises an error"
"""Why a power of a float may not be what its products one by one are."""

FLOATS = ("float", "bfloat", "double", "half", "complex")


def products(count: int) -> int:
    """The products that repeated squaring takes for a power."""
    return max(0, count.bit_length() - 1 + count.bit_count() - 1)


def powered(base: str, exponent: str) -> str:
    """``base ** exponent``, spaced as the Black style has it."""
    if all(re.fullmatch(r"[\w.]+", text) for text in (base, exponent)):
        return f"{base}**{exponent}"
    inside = exponent if re.fullmatch(r"\w+", exponent) else f"({exponent})"
    return f"{base} ** {inside}"


def too_few(steps: int, way: str) -> str:
    """Why so many steps are left as they are."""
    return f"{steps} {'step is' if steps == 1 else 'steps are'} too few for {way} to pay"
