"""Factors that are zero at all but one place of the index that a product sums over: diagonal
matrices, rows of the identity, one-hot vectors. The sum is then the one term at that place."""

from __future__ import annotations

from dataclasses import dataclass, replace

from auditor.notation import (
    ONE,
    ZERO,
    Apply,
    Const,
    Index,
    Read,
    Reduce,
    Term,
    Value,
    definition,
    free_indices,
    substitute,
)


@dataclass(frozen=True)
class Placed:
    """A factor that is ``weight`` where the summed index equals ``place``, and 0 elsewhere.
    ``passed`` are the values that it was read through, ``cast`` the last dtype on the way."""

    place: Term
    weight: Term
    passed: tuple[Value, ...]
    cast: str | None = None
    scaled: bool = False

    @property
    def one(self) -> bool:
        """Whether it is 1 at its place."""
        weight = self.weight
        while isinstance(weight, Apply) and weight.op.startswith("cast:"):
            (weight,) = weight.args
        return weight is ONE or (isinstance(weight, Const) and weight.value == 1)


@dataclass(frozen=True)
class Picked:
    """``sum_k placed[.., k] other[.., k]``."""

    inner: Index
    placed: Placed
    other: Read

    @property
    def chosen(self) -> tuple[Term, ...]:
        """The subscripts of ``other`` with the place in place of the summed index."""
        return tuple(self.placed.place if s is self.inner else s for s in self.other.subs)


def picked(value: Value, summed: bool = False) -> Picked | None:
    """The product with such a factor that ``value`` is; with ``summed`` also the sum of a product
    that was made element by element."""
    total = value.body
    if not (isinstance(total, Reduce) and total.op == "sum"):
        return None
    product: Term | None = total.body
    if summed and isinstance(product, Read):
        product = definition(product)
    if not isinstance(product, Apply) or product.op != "mul" or len(product.args) != 2:
        return None
    for one, other in (product.args, product.args[::-1]):
        if isinstance(other, Read) and other.subs.count(total.index) == 1:
            found = placed(one, total.index)
            if found is not None:
                return Picked(total.index, found, other)
    return None


def picked_total(value: Value) -> Picked | None:
    """The sum, over all places as well, of such a product that was made element by element."""
    term, summed = value.body, list[Index]()
    while isinstance(term, Reduce) and term.op == "sum":
        summed.append(term.index)
        term = term.body
    product = definition(term) if isinstance(term, Read) else term
    if len(summed) < 2 or value.axes or not isinstance(product, Apply):
        return None
    if product.op != "mul" or len(product.args) != 2:
        return None
    for one, other in (product.args, product.args[::-1]):
        if not isinstance(other, Read):
            continue
        for inner in summed:
            found = placed(one, inner) if other.subs.count(inner) == 1 else None
            if found is None or not isinstance(found.place, Read):
                continue
            if len(found.place.subs) == len(summed) - 1 and {inner, *found.place.subs} == {*summed}:
                return Picked(inner, found, other)
    return None


def placed(factor: Term, inner: Index) -> Placed | None:
    """What ``factor`` is at its one place of ``inner``, or None where it has others."""
    passed: list[Value] = []
    cast: str | None = None
    at: Term | None = factor
    while True:
        if isinstance(at, Read):
            passed.append(at.value)
            at = definition(at)
        elif isinstance(at, Apply) and at.op.startswith("cast:"):
            cast, at = cast or at.op.removeprefix("cast:"), at.args[0]
        elif isinstance(at, Apply) and at.op == "mul" and len(at.args) == 2:
            return _scaled(at, inner, passed, cast)
        else:
            return _guarded(at, inner, passed, cast)


def _scaled(term: Apply, inner: Index, passed: list[Value], cast: str | None) -> Placed | None:
    """An identity matrix times a number or a vector, element by element."""
    for one, other in (term.args, term.args[::-1]):
        found = placed(one, inner)
        if found is not None and found.weight is ONE and isinstance(other, (Read, Const)):
            weight = substitute(other, {inner: found.place})
            whole = (*passed, *found.passed)
            return replace(found, weight=weight, passed=whole, cast=cast, scaled=True)
    return None


def _guarded(
    term: Term | None, inner: Index, passed: list[Value], cast: str | None
) -> Placed | None:
    if isinstance(term, Apply) and term.op == "eq":
        term = Apply("where", (term, ONE, ZERO))  # a comparison is 1 where it holds
    if not (isinstance(term, Apply) and term.op == "where"):
        return None
    on, weight, rest = term.args
    if not (isinstance(on, Apply) and on.op == "eq"):
        return None
    sides = [element(side) for side in on.args]
    for one, place in (sides, sides[::-1]):
        if one is inner and inner not in free_indices(place):
            if not is_zero(rest) and not _rewritten(rest, inner, place):
                return None
            return Placed(place, substitute(weight, {inner: place}), tuple(passed), cast)
    return None


def _rewritten(rest: Term, inner: Index, place: Term) -> bool:
    """Whether what was there is zero but for the same place: the diagonal of an identity that is
    written over."""
    found = placed(rest, inner)
    return found is not None and found.place is place


def element(term: Term) -> Term:
    """The element of an array that is read through views of it; of a range its number."""
    while isinstance(term, Read) and isinstance(inner := definition(term), (Read, Index)):
        term = inner
    return term


def is_zero(term: Term) -> bool:
    """Whether a term is the number 0, or an array of it."""
    while isinstance(term, Read) and (body := definition(term)) is not None:
        term = body
    return term is ZERO or (isinstance(term, Const) and term.value in (0, False))
