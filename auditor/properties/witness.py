"""The input of a run as a person would type it: all that the code is given, nothing that it sets
itself."""

from __future__ import annotations

from typing import Any

import numpy as np

from auditor.algebra.kinds import Kinds
from auditor.algebra.sampling import Array, Inputs
from auditor.notation import Apply, Read, Term, Value, definition

_LONGEST = 160


def told(given: Inputs) -> str:
    """``with x = [1, 2]; a = 0.5``, if that is short enough to be typed."""
    parts = [
        f"{value.name} = {_typed(value, array, given.kinds)}"
        for value, array in given.env.items()
        if _is_given(value)
    ]
    text = "; ".join(part.replace("\n", "") for part in parts)
    return f"with {text}" if 0 < len(text) <= _LONGEST else "on a sampled input"


def _typed(value: Value, array: Array, kinds: Kinds) -> str:
    """An input of its kind: whole numbers, or letters by their numbers."""
    if value.name in kinds.texts:
        for place in reversed([n for n, axis in enumerate(value.axes) if axis.group]):
            array = np.take(array, 0, place)  # a text, and no array of them
        return repr(letters(array.tolist()))
    whole = array.astype(int) if value.name in kinds.whole else array
    return np.array2string(whole, separator=", ", max_line_width=10_000)


def letters(numbers: Any) -> Any:
    """The letters of numbers, or of lists of these."""
    if isinstance(numbers, list):
        return list(map(letters, numbers))
    return chr(ord("a") + int(numbers))


def is_text(term: Term, kinds: Kinds) -> bool:
    """Whether what a term gives is one of the texts that it is given."""
    if isinstance(term, Read):
        made = definition(term)
        return term.value.name in kinds.texts if made is None else is_text(made, kinds)
    if not isinstance(term, Apply) or term.op not in ("where", "max", "min"):
        return False
    return any(is_text(part, kinds) for part in term.args[term.op == "where" :])


def _is_given(value: Value) -> bool:
    """Does it come from outside? What a loop carries is what the loop makes of it."""
    return value.kind != "state" and (bool(value.axes) or value.kind == "input")
