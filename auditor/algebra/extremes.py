"""A branch that compares what it chooses between, as the maximum or the minimum that it is."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from auditor.algebra.normal import Normaliser
from auditor.algebra.polynomial import Poly, scale, subtract
from auditor.notation import Apply, Carry, Const, Term, transform

_ORDERS = frozenset(("lt", "le", "gt", "ge"))


def with_extremes(carries: Sequence[Carry]) -> list[Carry]:
    """The carried values with each such branch as an extreme, wherever it stands."""
    normaliser = Normaliser()

    def change(node: Term) -> Term:
        if not isinstance(node, Apply) or node.op != "where":
            return node
        return extreme(node, normaliser) or node

    return [replace(carry, update=transform(carry.update, change)) for carry in carries]


def extreme(choice: Apply, normaliser: Normaliser) -> Apply | None:
    """A choice between two terms by which of them, moved alike, is the larger."""
    condition, then, other = choice.args
    if not isinstance(condition, Apply):
        return None
    if condition.op == "not":
        return extreme(Apply("where", (condition.args[0], other, then)), normaliser)
    if condition.op not in _ORDERS:
        return None
    a, b = condition.args if condition.op in ("lt", "le") else condition.args[::-1]
    gap = difference(b, a, normaliser)
    apart = difference(then, other, normaliser)
    if gap is None or apart is None:
        return None
    if apart == gap:
        return Apply("max", (then, other))
    return Apply("min", (then, other)) if apart == scale(gap, -1) else None


def difference(a: Term, b: Term, normaliser: Normaliser) -> Poly | None:
    """a - b in normal form; infinities are not numbers."""
    if any(isinstance(t, Const) and isinstance(t.value, float) and math.isinf(t.value)
           for t in (a, b)):  # fmt: skip
        return None
    return subtract(normaliser.normal(a), normaliser.normal(b))
