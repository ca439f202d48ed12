"""Sums weighted by powers of their distance, anew for every place: a linear recurrence.

y[t] = sum_{k >= t} g^(k - t) x[k] = x[t] + g y[t + 1]
y[t] = sum_{k <= t} g^(t - k) x[k] = x[t] + g y[t - 1]
"""

from __future__ import annotations

from auditor.lagged.lags import integral
from auditor.lift import extents
from auditor.notation import Apply, Read, Term, free_indices, walk
from auditor.rewrite import Match, Site
from auditor.sums.places import Sum, coefficient, factors, sums_of


def decaying(site: Site) -> Match | None:
    """What is told of sums that a recurrence has one step at a time."""
    for found in sums_of(site, of=("pow",)):
        said = _decay(found)
        if said is None:
            continue
        base, array, forward = said
        way = f"`y[t] = {array}[t] + {base} * y[t {'+' if forward else '-'} 1]`"
        return Match(
            span=site.computation.span,
            message=f"{found.called}: for every place all elements"
            f" {'after' if forward else 'before'} it, weighted by powers of `{base}`, are added up"
            f" anew: the linear recurrence {way} takes each sum from the one at the"
            f" {'next' if forward else 'previous'} place",
            computation=site.computation,
            kernel="auditor.kernels.linear_scan",
        )
    return None


def _decay(found: Sum) -> tuple[str, str, bool] | None:
    """(base, array, whether it goes on to the end) of such a sum."""
    if found.op != "sum" or len(found.places) != 1 or found.within.group:
        return None
    (place,) = found.places
    if place not in free_indices(found.within.extent):
        return None  # a window, or all places at once
    moves = {place, found.within}
    parts = [part for part in factors(found.term) if moves & free_indices(part)]
    powers = [part for part in parts if isinstance(part, Apply) and part.op == "pow"]
    reads = [part for part in parts if isinstance(part, Read)]
    if len(parts) != 2 or len(powers) != 1 or len(reads) != 1:
        return None
    base, exponent = powers[0].args
    if free_indices(base) & moves or not isinstance(base, Read):
        return None
    for sub in reads[0].subs:
        if moves & free_indices(sub):
            forward = _distance(sub, exponent, found)
            if forward is None:
                continue
            if coefficient(found.within.extent, place) != (-1 if forward else 1):
                return None  # not all that comes after, or before: a window
            return base.value.name, reads[0].value.name, forward
    return None


def _distance(sub: Term, exponent: Term, found: Sum) -> bool | None:
    """Whether ``exponent`` is how far ``sub`` lies behind the place (True), or before it."""
    (place,) = found.places
    sub, exponent = integral(sub), integral(exponent)
    if coefficient(exponent, found.within) not in (1, -1):
        return None
    for forward in (True, False):
        gone = extents.sub(sub, exponent) if forward else extents.add(sub, exponent)
        if coefficient(gone, found.within) == 0 and coefficient(gone, place) == 1:
            return forward if found.within not in walk(gone) else None
    return None
