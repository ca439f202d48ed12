"""Discrete Fourier transforms, summed up place by place.

y[k] = sum_t x[t] exp(-2 pi i k t / n), over all n places
"""

from __future__ import annotations

import math
from collections.abc import Iterable

from auditor.lift import extents
from auditor.notation import Apply, Const, Index, Read, Term, free_indices
from auditor.rewrite import Match, Site
from auditor.sums.places import Sum, factors, sums_of

_WAVES = ("exp", "cos", "sin")


def transformed(site: Site) -> Match | None:
    """What is told of sums that a transform has all at once."""
    for found in sums_of(site, of=_WAVES):
        if found.op == "sum" and any(_wave(found, place) for place in found.places):
            return Match(
                span=site.computation.span,
                message=f"{found.called}: a discrete Fourier transform, one product for each pair"
                " of places: `fft` takes n log n operations",
                computation=site.computation,
            )
    return None


def _wave(found: Sum, place: Index) -> bool:
    """Whether the term is an element of one row, and a wave of all places of it."""
    parts = factors(found.term)
    waves = [part for part in parts if isinstance(part, Apply) and part.op in _WAVES]
    rest = [part for part in parts if part not in waves and found.within in free_indices(part)]
    if len(waves) != 1 or len(rest) != 1 or not isinstance(rest[0], Read):
        return False
    if place in free_indices(rest[0]):
        return False
    turns = _turns(waves[0].args[0], found, place)
    if turns is None:
        return False
    whole = 1j if waves[0].op == "exp" else 1
    return any(abs(turns - sign * 2 * math.pi * whole) < 1e-9 for sign in (1, -1))


def _turns(angle: Term, found: Sum, place: Index) -> complex | None:
    """The number that an angle has beside ``within * place / n``; None for other angles."""
    above, below = _quotient(angle)
    number = complex(1)
    indices: list[Term] = []
    for term in above:
        if isinstance(term, Const) and isinstance(term.value, (int, float, complex)):
            number *= term.value
        elif isinstance(term, Index):
            indices.append(term)
        else:
            return None
    if sorted(map(id, indices)) != sorted(map(id, (place, found.within))):
        return None
    sizes = []
    for term in below:
        if isinstance(term, Const) and isinstance(term.value, (int, float)) and term.value:
            number /= term.value
        else:
            sizes.append(extents.canonical(term))
    return number if sizes == [extents.canonical(found.within.extent)] else None


def _quotient(term: Term) -> tuple[list[Term], list[Term]]:
    """The factors above and below."""
    if isinstance(term, Apply) and term.op == "mul":
        return _joined(map(_quotient, term.args))
    if isinstance(term, Apply) and term.op == "div":
        (over, under), (more, less) = map(_quotient, term.args)
        return over + less, under + more
    if isinstance(term, Apply) and term.op == "neg":
        over, under = _quotient(term.args[0])
        return [Const(-1), *over], under
    return [term], []


def _joined(pairs: Iterable[tuple[list[Term], list[Term]]]) -> tuple[list[Term], list[Term]]:
    above: list[Term] = []
    below: list[Term] = []
    for over, under in pairs:
        above += over
        below += under
    return above, below
