"""Factors that have one value at one place of what a product sums over and another one elsewhere:
smoothed labels.

    soft = one_hot(i, n) * (1 - e) + e / n
    (soft * logp).sum(-1)            (1 - e) * logp[.., i] + e / n * logp.sum(-1)
"""

from __future__ import annotations

from dataclasses import dataclass, field

from auditor.matrices.low_rank import supposed, unstated
from auditor.matrices.placed import element
from auditor.notation import (
    Apply,
    Const,
    Index,
    Read,
    Reduce,
    Symbol,
    Term,
    Value,
    definition,
)

_LINEAR = ("add", "sub", "neg", "mul", "div")
_DEEP = 24
"""How many values a factor may be made through."""


@dataclass(frozen=True)
class Smoothed:
    """A factor of this kind, and what is supposed to be a number in it."""

    factor: Value
    numbers: tuple[Value, ...]


def smoothed(value: Value) -> Smoothed | None:
    """The factor of this kind in the sum of products that a value is."""
    total = value.body
    if not isinstance(total, Reduce) or total.op != "sum":
        return None
    product = definition(total.body) if isinstance(total.body, Read) else total.body
    product = None if product is None else _without_sign(product)
    if not isinstance(product, Apply) or product.op != "mul" or len(product.args) != 2:
        return None
    for factor, other in (product.args, product.args[::-1]):
        factor = _without_sign(factor)
        if isinstance(factor, Read) and _moves(other, total.index):
            reading = _Reading(total.index)
            places = reading.places(factor, _DEEP)
            if reading.added and places is not None and len(places) == 1:
                numbers = sorted(reading.numbers, key=lambda one: one.name)
                return Smoothed(factor.value, tuple(numbers))
    return None


def _without_sign(term: Term) -> Term:
    """What is turned round, by itself or under a name."""
    while True:
        inner = definition(term) if isinstance(term, Read) else term
        if not isinstance(inner, Apply) or inner.op != "neg":
            return term
        term = inner.args[0]


def _moves(term: Term, inner: Index) -> bool:
    term = _without_sign(term)
    return isinstance(term, Read) and term.subs.count(inner) == 1


@dataclass
class _Reading:
    """``numbers`` takes what is supposed to be one, ``added`` says that something is added."""

    inner: Index
    numbers: set[Value] = field(default_factory=set)
    added: bool = False

    def places(self, term: Term | None, deep: int) -> set[Term] | None:
        """The places of ``inner`` at which a term has another value than elsewhere; None where it
        has more than two values, or is made of more than numbers."""
        if isinstance(term, (Const, Symbol)):
            return set()
        if isinstance(term, Read) and (not term.value.axes or supposed(term.value)):
            self.numbers |= unstated(term.value)
            return set()
        if isinstance(term, Read) and deep:
            return self.places(definition(term), deep - 1)
        if not isinstance(term, Apply):
            return None
        if term.op == "eq":
            sides = [element(side) for side in term.args]
            found = [b for a, b in (sides, sides[::-1]) if a is self.inner and b is not self.inner]
            return {found[0]} if found else None
        if term.op not in (*_LINEAR, "where") and not term.op.startswith("cast:"):
            return None
        self.added |= term.op in ("add", "sub")
        parts = [self.places(part, deep - 1) for part in term.args] if deep else [None]
        return None if None in parts else set[Term]().union(*(part for part in parts if part))
