"""The text of conditions, of choices between two arrays, and of what is clipped."""

from __future__ import annotations

from typing import TYPE_CHECKING

from auditor.nests.clipping import NO_BOUND
from auditor.nests.conditions import TRUTHS
from auditor.nests.integers import CannotSay
from auditor.nests.said import Said
from auditor.notation import Apply

if TYPE_CHECKING:
    from auditor.nests.code import Code

_COMPARED = {"lt": "<", "le": "<=", "gt": ">", "ge": ">=", "eq": "==", "ne": "!="}
_COMBINED = {"and": " & ", "or": " | "}
SAYS = frozenset((*TRUTHS, "choose", "where", "clamp"))
"""The operations that are said here."""


def say(code: Code, term: Apply) -> Said:
    """The text of one of ``SAYS``. Raises ``CannotSay``."""
    if term.op == "clamp":
        return _clipped(code, term)
    parts = [code.said(arg) for arg in term.args]
    axes = code.ordered({axis for part in parts for axis in part.axes})
    parts = [code.broadcast(part, axes) for part in parts]
    if term.op == "not":
        return Said(f"~{parts[0].inside(4)}", axes, 4)
    if term.op in ("choose", "where"):
        if code.library is None or code.torch is None:
            raise CannotSay("the arrays may be of NumPy or of torch", "library")
        return Said(f"{code.library}.where({', '.join(p.whole for p in parts)})", axes)
    sign = f" {_COMPARED[term.op]} " if term.op in _COMPARED else _COMBINED[term.op]
    return Said(sign.join(part.inside(2) for part in parts), axes, 1)


def _clipped(code: Code, term: Apply) -> Said:
    """Both libraries take two bounds in their order; one of them torch takes by its name."""
    part, low, high = term.args[0], *term.args[1:]
    if code.library is None or code.torch is None:
        raise CannotSay("the arrays may be of NumPy or of torch", "library")
    said = code.said(part)
    ends = [
        None if end is none else code.said(end).whole
        for end, none in zip((low, high), NO_BOUND.values(), strict=True)
    ]
    if not code.torch:
        return Said(f"{code.library}.clip({said.whole}, {ends[0]}, {ends[1]})", said.axes)
    words = ", ".join(f"{name}={end}" for name, end in zip(NO_BOUND, ends, strict=True) if end)
    bounds = f"{ends[0]}, {ends[1]}" if all(ends) else words
    return Said(f"{code.library}.clamp({said.whole}, {bounds})", said.axes)
