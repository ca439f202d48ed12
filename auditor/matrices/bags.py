"""Products with counts of places: sums, or averages, of one-hot vectors, as bags of words are.

sum_k (sum_t [i[b, t] = k]) W[k, j] = sum_t W[i[b, t], j]
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from auditor.matrices.placed import Picked, Placed, placed
from auditor.notation import Apply, Index, Read, Reduce, Term, Value, definition, free_indices


@dataclass(frozen=True, eq=False)
class Counts:
    """Vectors that are 1 at a place, summed up ``along`` the places, and divided ``by`` something
    if that is not None."""

    placed: Placed
    along: Index
    by: Term | None

    @property
    def place(self) -> Read:
        assert isinstance(self.placed.place, Read)
        return self.placed.place

    @property
    def kept(self) -> tuple[Term, ...]:
        """The axes of the places that are left."""
        return tuple(sub for sub in self.place.subs if sub is not self.along)


@dataclass(frozen=True, eq=False)
class Bag:
    """What is looked up at each place, which is then added up as the ``counts`` are."""

    picked: Picked
    counts: Counts


def bagged(value: Value) -> Bag | None:
    """The product of this form that ``value`` is, whose table has two axes, or None."""
    total = value.body
    if not (isinstance(total, Reduce) and total.op == "sum"):
        return None
    product = total.body
    if not isinstance(product, Apply) or product.op != "mul" or len(product.args) != 2:
        return None
    for one, other in (product.args, product.args[::-1]):
        if isinstance(other, Read) and len(other.subs) == 2 and other.subs[0] is total.index:
            found = counted(one, total.index)
            if found is not None and value.axes == (*found.kept, other.subs[1]):
                return Bag(Picked(total.index, found.placed, other), found)
    return None


def counted(term: Term | None, inner: Index) -> Counts | None:
    """How often each place of ``inner`` is one of several, or which part of them it is, if that is
    what a term says."""
    passed: list[Value] = []
    cast: str | None = None
    by: Term | None = None
    while True:
        if isinstance(term, Read):
            passed.append(term.value)
            term = definition(term)
        elif isinstance(term, Apply) and term.op.startswith("cast:"):
            cast, term = cast or term.op.removeprefix("cast:"), term.args[0]
        elif isinstance(term, Apply) and term.op == "div" and by is None:
            term, by = term.args
            if free_indices(by):
                return None
        else:
            break
    if not isinstance(term, Reduce) or term.op != "sum":
        return None
    found = placed(term.body, inner)
    if found is None or not found.one or not isinstance(found.place, Read):
        return None
    if term.index not in found.place.subs:
        return None
    whole = replace(found, passed=(*passed, *found.passed), cast=cast or found.cast)
    return Counts(whole, term.index, by)
