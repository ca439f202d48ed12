"""What is added up over lists of numbers, for which no library is at hand: windows, lags, products
of rows, distances of rows. Only told: other numbers than floats may be meant."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from auditor.algebra.normal import equal
from auditor.lift import extents
from auditor.notation import ZERO, Apply, Const, Read, Term, free_indices
from auditor.rewrite import Match, Site
from auditor.sums.places import Sum, coefficient, factors, of_lists, sums_of


def windows(site: Site) -> Match | None:
    """Sums or extrema of windows that slide along a list."""
    for found in _lists(site):
        if found.op in ("sum", "max", "min") and _slides(found):
            kept = "a running sum" if found.op == "sum" else "a deque of candidates"
            return _told(
                site, f"{found.called}: neighbouring windows share all but one element, and each is"
                f" walked anew: {kept} takes one step a place, `sliding_window_view` of an array"
                " has them at once"
            )  # fmt: skip
    return None


def _slides(found: Sum) -> bool:
    """Whether one element is met, at a place and as far behind it as a fixed window reaches."""
    if len(found.places) != 1 or not isinstance(found.term, Read):
        return False
    (place,) = found.places
    if place in free_indices(found.within.extent) or extents.constant(found.within.extent) == 1:
        return False
    moving = [sub for sub in found.term.subs if {place, found.within} & free_indices(sub)]
    return len(moving) == 1 and (
        (coefficient(moving[0], place), coefficient(moving[0], found.within)) in ((1, 1), (1, -1))
    )


def lags(site: Site) -> Match | None:
    """Convolutions and correlations of lists."""
    for found in _lists(site):
        if found.op == "sum" and len(found.places) == 1 and _meets_at_a_lag(found):
            return _told(
                site, f"{found.called}: products at a fixed distance are added up for every place,"
                " a convolution: `np.convolve` or `np.correlate` of arrays has all of them"
            )  # fmt: skip
    return None


def _meets_at_a_lag(found: Sum) -> bool:
    """``sum_k h[k] x[t - k]``, ``sum_t (x[t] - m) (x[t + k] - m)``: one element moves with the
    step alone, the other with the place as well."""
    (place,) = found.places
    moves = []
    for part in factors(found.term):
        shifted = isinstance(part, Apply) and part.op in ("sub", "add") and len(part.args) == 2
        read, by = part.args if shifted else (part, ZERO)  # type: ignore[attr-defined]
        if not isinstance(read, Read) or len(read.subs) != 1:
            return False
        if free_indices(by) & {place, found.within}:
            return False
        (sub,) = read.subs
        moves.append((abs(coefficient(sub, place) or 0), abs(coefficient(sub, found.within) or 0)))
    return sorted(moves) == [(0, 1), (1, 1)]


def products(site: Site) -> Match | None:
    """Rows of one list multiplied with rows or columns of another, for all pairs."""
    for found in _lists(site):
        parts = [part for part in factors(found.term) if found.within in free_indices(part)]
        sides = [free_indices(part) & set(found.places) for part in parts]
        apart = len(found.places) == 2 and len(parts) == 2 and not sides[0] & sides[1]
        if found.op == "sum" and apart and all(map(_element, parts)) and all(sides):
            return _told(
                site, f"{found.called}: the rows and columns of two matrices are multiplied, one"
                " number at a time: `@` of arrays multiplies all"
            )  # fmt: skip
    return None


def distances(site: Site) -> Match | None:
    """Squared differences of the rows of two lists, added up for all pairs."""
    for found in _lists(site):
        if found.op == "sum" and len(found.places) == 2 and _squares(found):
            return _told(
                site, f"{found.called}: the distances of all pairs of rows, one coordinate at a"
                " time: `cdist` of arrays has all of them"
            )  # fmt: skip
    return None


def _squares(found: Sum) -> bool:
    """Whether the square of a difference of one element of each place is added up."""
    term = found.term
    if isinstance(term, Apply) and term.op == "pow" and term.args[1] in (Const(2), Const(2.0)):
        term = Apply("square", term.args[:1])
    parts = factors(term)
    if len(parts) == 2 and equal(parts[0], parts[1]):
        term = Apply("square", (parts[0],))
    if not isinstance(term, Apply) or term.op != "square":
        return False
    difference = term.args[0]
    if not isinstance(difference, Apply) or difference.op != "sub":
        return False
    sides = [free_indices(arg) & set(found.places) for arg in difference.args]
    return all(map(_element, difference.args)) and [len(side) for side in sides] == [1, 1] and (
        sides[0] != sides[1]
    )  # fmt: skip


def _element(term: Term) -> bool:
    return isinstance(term, Read) and len(term.subs) == 2


def _lists(site: Site) -> Iterator[Sum]:
    """What loops and comprehensions add up; a product of arrays is one already."""
    if site.loop is not None or isinstance(site.node, ast.ListComp):
        yield from filter(of_lists, sums_of(site))


def _told(site: Site, message: str) -> Match:
    return Match(site.computation.span, message, site.computation)
