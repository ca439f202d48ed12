"""An extreme over an axis, carried for each place of the axis: ``best = max(best, columns.max())``
is the largest of values that each look at one column, so that columns and best values are loops
side by side. Sound because an extreme of extremes may be taken in any order and starts as often as
one likes.
"""

from __future__ import annotations

from auditor.algebra.affine import NotAffine, is_number
from auditor.algebra.piecewise import NEGATIVE_INF, clamped
from auditor.algebra.states import Dependence
from auditor.notation import (
    INF,
    Apply,
    Carry,
    Index,
    Read,
    Reduce,
    Term,
    Trace,
    Value,
    substitute,
    walk,
)


def spread(carry: Carry, update: Term, others: list[Carry], dependence: Dependence) -> Carry | None:
    """The carry for each place of the axis of which it keeps an extreme, if it looks at states
    (``others``) along one. The carried value is the extreme of all places' values."""
    if carry.state.axes:
        return None
    found = _extreme(carry, update, dependence)
    if found is None:
        return None
    op, reduced = found
    states = {other.state for other in others}
    axes = {
        node.value.axes
        for node in walk(reduced.body)
        if isinstance(node, Read) and node.value in states
    }
    inner = any(isinstance(node, (Reduce, Trace)) and dependence.mentions(node, states)
                for node in walk(reduced.body))  # fmt: skip
    if inner or len(axes) != 1 or len(next(iter(axes))) != 1:
        return None
    ((axis,),) = axes
    if axis.group or reduced.index.group or axis.extent is not reduced.index.extent:
        return None
    place = Index(axis.name, axis.extent)
    state = Value(carry.name, (place,), None, carry.state.dtype, "state", carry.state.library)
    body = substitute(reduced.body, {reduced.index: place})
    return Carry(carry.name, state, carry.init, Apply(op, (Read(state, (place,)), body)))


def _extreme(carry: Carry, update: Term, dependence: Dependence) -> tuple[str, Reduce] | None:
    """Whether the largest or the least is kept, and of what over an axis."""
    try:
        found = clamped(update, carry.state, dependence)
    except NotAffine:
        return None
    if not is_number(found.a, 1) or not is_number(found.b, 0):
        return None
    for op, limit, other, none in (("max", found.low, found.high, INF),
                                   ("min", found.high, found.low, NEGATIVE_INF)):  # fmt: skip
        if other is none and isinstance(limit, Reduce) and limit.op == op:
            return op, limit
    return None
