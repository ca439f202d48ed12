"""Products with masks that give each row one of several places: the tokens of experts with a
capacity, put into buffers and taken out again.

    einsum("tec,td->ecd", dispatch, x)          row t is added to its place (e, c)
    einsum("tec,ecd->td", combine, out)         row t is read at its place

The mask is zero but where both of its axes equal what the row was given, so of e times c products
one is no zero.
"""

from __future__ import annotations

from dataclasses import dataclass

from auditor.matrices.placed import element, is_zero
from auditor.notation import (
    Apply,
    Index,
    Read,
    Reduce,
    Term,
    Value,
    definition,
    free_indices,
)

_BESIDE_NOTHING = ("ne", "gt", "lt")
_DEEP = 24
"""How many values a mask may be made through."""


@dataclass(frozen=True)
class Dispatched:
    """The ``mask`` of such a product, and whether its places are read, not added to."""

    mask: Value
    taken: bool


def dispatched(value: Value) -> Dispatched | None:
    """The product of this form that ``value`` is."""
    term, summed = value.body, set[Index]()
    while isinstance(term, Reduce) and term.op == "sum":
        summed.add(term.index)
        term = term.body
    if not summed or not isinstance(term, Apply) or term.op != "mul" or len(term.args) != 2:
        return None
    for mask in term.args:
        if not isinstance(mask, Read):
            continue
        axes = {sub for sub in mask.subs if isinstance(sub, Index)}
        places = _hot(mask, _DEEP) & axes
        if len(places) < 2 or places == axes:
            continue
        if places <= summed or places.isdisjoint(summed):
            return Dispatched(mask.value, taken=places <= summed)
    return None


def _hot(term: Term | None, deep: int) -> frozenset[Index]:
    """The indices of which all values but one, which the others tell, make ``term`` zero."""
    none = frozenset[Index]()
    if not deep:
        return none
    if isinstance(term, Read):
        return _hot(definition(term), deep - 1)
    if not isinstance(term, Apply):
        return none
    if term.op.startswith("cast:"):
        return _hot(term.args[0], deep - 1)
    if term.op == "mul":
        return none.union(*(_hot(part, deep - 1) for part in term.args))
    if term.op == "add":
        first, *more = (_hot(part, deep - 1) for part in term.args)
        return first.intersection(*more)
    if term.op in _BESIDE_NOTHING and len(term.args) == 2:
        left, right = term.args
        kept = left if is_zero(right) else right if is_zero(left) else None
        return _hot(kept, deep - 1)
    if term.op == "where" and is_zero(term.args[2]):
        return _hot(term.args[0], deep - 1) | _hot(term.args[1], deep - 1)
    return _equal(term) if term.op == "eq" else none


def _equal(term: Apply) -> frozenset[Index]:
    sides = [element(side) for side in term.args]
    return frozenset(
        one for one, other in (sides, sides[::-1])
        if isinstance(one, Index) and one not in free_indices(other)
    )  # fmt: skip
