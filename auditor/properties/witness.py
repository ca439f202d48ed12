"""The input of a run as a person would type it: all that the code is given, nothing that it sets
itself."""

from __future__ import annotations

import numpy as np

from auditor.algebra.sampling import Inputs
from auditor.notation import Value

_LONGEST = 160


def told(given: Inputs) -> str:
    """``with x = [1, 2]; a = 0.5``, if that is short enough to be typed."""
    parts = [
        f"{value.name} = {np.array2string(array, separator=', ', max_line_width=10_000)}"
        for value, array in given.env.items()
        if _is_given(value)
    ]
    text = "; ".join(part.replace("\n", "") for part in parts)
    return f"with {text}" if 0 < len(text) <= _LONGEST else "on a sampled input"


def _is_given(value: Value) -> bool:
    """Does it come from outside? What a loop carries is what the loop makes of it."""
    return value.kind != "state" and (bool(value.axes) or value.kind == "input")
