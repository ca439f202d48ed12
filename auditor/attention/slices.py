"""Keys that the code takes as a slice around each query's place, ``k[max(0, i - w) : i + 1]``, told
as a condition on places."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce

from auditor.algebra.normal import expand
from auditor.lift import extents
from auditor.notation import ONE, ZERO, Apply, Const, Index, Read, Term, free_indices, substitute


@dataclass(frozen=True)
class Slice:
    """The keys at which all of ``conditions`` on ``place`` and the query's own hold are taken.
    ``length`` is that of all of the keys' array; ``supposed`` are other lengths, which the code
    takes it to have."""

    place: Index
    conditions: tuple[Apply, ...]
    length: Term
    supposed: tuple[Term, ...]

    def condition(self, rows: Index, place: Index) -> Term:
        """All conditions as one, with the query's place named ``place``."""
        whole = reduce(lambda one, other: Apply("and", (one, other)), self.conditions)
        return substitute(whole, {rows: place})


def sliced(reads: Sequence[Read], rows: Index, columns: Index) -> Slice | None:
    """The slice of the keys' places that arrays are read at with ``columns``, all the same one."""
    starts, length = set[Term](), None
    for read in reads:
        for sub, axis in zip(read.subs, read.value.axes, strict=True):
            if columns in free_indices(sub):
                starts.add(extents.canonical(extents.sub(expand(sub), columns)))
                length = length or axis.extent
    if len(starts) != 1 or length is None:
        return None
    (start,) = starts
    if columns in free_indices(start) or not free_indices(start) <= {rows}:
        return None
    end = extents.canonical(extents.add(expand(columns.extent), start))
    place = Index(columns.name, length)
    conditions, supposed = list[Apply](), list[Term]()
    lows = start.args if isinstance(start, Apply) and start.op == "max" else (start,)
    if not any(_not_negative(low, rows) for low in lows):
        return None  # a place that is counted from the end
    for low in lows:
        if not (isinstance(low, Const) and low.value <= 0):  # type: ignore[operator]
            conditions.append(Apply("ge", (place, low)))
    for high in end.args if isinstance(end, Apply) and end.op == "min" else (end,):
        if free_indices(high):
            if free_indices(high) != {rows}:
                return None
            conditions.append(Apply("lt", (place, high)))
        else:
            supposed.append(high)
    return Slice(place, tuple(conditions), length, tuple(supposed))


def _not_negative(term: Term, rows: Index) -> bool:
    """Whether an integer is certainly 0 or more, with ``rows`` counting from 0."""
    if isinstance(term, Const):
        return isinstance(term.value, int) and term.value >= 0
    return term is rows or term is ZERO or term is ONE
