"""Pieces of the code that terms are said in, and why there may be none."""

from __future__ import annotations

from dataclasses import dataclass

from auditor.lift import extents
from auditor.notation import (
    Apply,
    Const,
    Index,
    Read,
    Term,
    Trace,
    transform,
)

ENTANGLED = "carried values depend on one another"
"""Why no code is written of each carried value for itself; of some the algebra knows more."""


class CannotRender(Exception):
    """The term has no array expression here; the message says why."""


class UnknownRank(CannotRender):
    """A value whose number of axes is not known stands beside axes that the loop's goes between."""


@dataclass(frozen=True)
class Piece:
    """An expression and its axes; None stands for an axis of extent 1. ``strength`` is Python's
    binding power: 0 conditional, 1 comparison, 2 sum, 3 product, 4 sign, 5 power, 6 call or name.
    ``tail``: it may have some of the last axes besides, which ones is not known. ``bound``: a
    product that takes no factor before it without brackets, as ``a * (b @ c)`` and ``a * (b // c)``
    are others without them.
    """

    text: str
    axes: tuple[Index | None, ...]
    strength: int = 6
    tail: bool = False
    bound: bool = False

    def inside(self, strength: int) -> str:
        return self.text if self.strength >= strength else f"({self.text})"

    def after(self, op: str, strength: int) -> str:
        """As what follows an operation of some strength."""
        if op == "pow":
            return self.inside(4)  # `a**-b`
        loose = op in ("sub", "div", "floordiv", "mod") or (op == "mul" and self.bound)
        return self.inside(strength + loose)


def folded(term: Term) -> Term:
    """Integer arithmetic in subscripts, folded."""

    def change(node: Term) -> Term:
        if isinstance(node, Read):
            return Read(node.value, tuple(map(_unwrapped, node.subs)), node.aligned)
        if isinstance(node, Trace):
            return Trace(node.scan, node.slot, node.step, tuple(map(_unwrapped, node.subs)))
        return node

    return transform(term, change)


def _unwrapped(sub: Term) -> Term:
    """A subscript in canonical form; an index taken modulo its own extent is the index."""
    if isinstance(sub, (Index, Const)):
        return sub
    if isinstance(sub, Apply) and sub.op == "mod":
        place = extents.canonical(sub.args[0])
        if isinstance(place, Index) and place.extent is sub.args[1]:
            return place
    return extents.canonical(sub)
