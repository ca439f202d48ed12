"""Elements and rows that are kept between two numbers: ``torch.clamp(row, lo, hi)``,
``x.clip(min=0)``, as a term with both bounds, of which one may be infinite."""

from __future__ import annotations

import ast
import math
from typing import TYPE_CHECKING

from auditor.nests.integers import NoNest
from auditor.nests.parts import Part, Scope
from auditor.notation import Apply, Const, Read, Term, free_indices, walk

if TYPE_CHECKING:
    from auditor.nests.expressions import Expressions

_BOUNDS = {
    "clip": ("min", "max"), "clamp": ("min", "max"), "clamp_min": ("min",), "clamp_max": ("max",),
}  # fmt: skip
NAMES = _BOUNDS.keys()
_ALSO = {"a_min": "min", "a_max": "max"}
NO_BOUND = {"min": Const(-math.inf), "max": Const(math.inf)}


def clipped(
    reading: Expressions, name: str, node: ast.Call, given: list[ast.expr], scope: Scope,
    least: int,
) -> Part:  # fmt: skip
    """What a call of ``NAMES`` gives; a bound that is None is none. Raises ``NoNest``."""
    if not 1 <= len(given) <= 1 + len(_BOUNDS[name]):
        raise NoNest(f"`{name}` with options")
    said = dict(zip(_BOUNDS[name], given[1:], strict=False))
    for word in node.keywords:
        bound = _ALSO.get(word.arg or "", word.arg or "")
        if bound not in NO_BOUND or bound in said:
            raise NoNest(f"`{name}` with options")
        said[bound] = word.value
    part = reading.part(given[0], scope, least)
    ends = [_number(reading, said[bound], scope) if bound in said else None for bound in NO_BOUND]
    if ends == [None, None]:
        raise NoNest(f"`{name}` without bounds")
    low, high = (end or none for end, none in zip(ends, NO_BOUND.values(), strict=True))
    return Part(part.axes, Apply("clamp", (part.term, low, high)))


def _number(reading: Expressions, node: ast.expr, scope: Scope) -> Term | None:
    """A bound that is the same number at every step."""
    if isinstance(node, ast.Constant) and node.value is None:
        return None
    part = reading.part(node, scope)
    state = any(isinstance(n, Read) and n.value.kind == "state" for n in walk(part.term))
    if part.axes or state or free_indices(part.term):
        raise NoNest("bounds that move with the loops")
    return part.term
