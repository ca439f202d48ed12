"""Masks that keep a band of the scores: the keys from some places before a query to some after.

``band`` reads masks as functions of a few comparisons of ``row - column`` with numbers that neither
depends on. They are evaluated for every way in which these comparisons can come out. Where the
scores are kept in exactly those cases in which some of the comparisons have a given outcome, these
are the bounds of the band. So it does not matter whether the mask is written with differences, with
triangles of ones, as what is kept, as what is left out, or as what is added.
"""

from __future__ import annotations

import itertools
import math
import operator
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from auditor.attention.reading import Added, Filled, decided, minus_infinity, used_as_number
from auditor.notation import ONE, Apply, Const, Index, Read, Term, free_indices

_MOST = 6
"""Comparisons in all masks together; they are tried in every combination."""

_LEAST = -65504.0
"""What the least number of a type is at most."""

_COMPARE: dict[str, Callable[[float, float], bool]] = {
    "eq": operator.eq, "ne": operator.ne, "lt": operator.lt,
    "le": operator.le, "gt": operator.gt, "ge": operator.ge,
}  # fmt: skip


@dataclass(frozen=True)
class Bound:
    """A difference of places is at most the sum of ``terms`` (whole multiples) and ``number``, or
    less than that where it is ``strict``."""

    terms: tuple[tuple[Term, int], ...]
    number: float
    strict: bool

    def opposite(self) -> Bound:
        """What bounds the negated difference where this bound does not hold."""
        return _bound(
            tuple((term, -times) for term, times in self.terms), -self.number, not self.strict
        )


def _bound(terms: tuple[tuple[Term, int], ...], number: float, strict: bool) -> Bound:
    """A bound; one that depends on nothing is a whole number, as differences of places are."""
    if terms:
        return Bound(terms, number, strict)
    return Bound((), math.ceil(number) - 1 if strict else math.floor(number), False)


@dataclass(frozen=True)
class Band:
    """Keys from ``left`` places before a query to ``right`` after it, the least bound of each."""

    left: tuple[Bound, ...]
    right: tuple[Bound, ...]
    infinite: bool
    positive: tuple[Term, ...] = ()
    """Numbers that are taken not to be negative."""

    def holds_own_place(self) -> bool:
        """Whether a query certainly sees the key at its own place."""
        return self.widths() == {}

    def leaves_none_for_the_first(self) -> bool:
        """Whether the first query sees no key, whatever the widths are: all keys are after it."""
        return any(not bound.terms and bound.number < 0 for bound in self.right)

    def widths(self) -> dict[Term, int] | None:
        """The least that numbers have to be for every query to see the key at its own place; None
        where that depends on more."""
        least: dict[Term, int] = {}
        for bound in (*self.left, *self.right):
            missing = math.floor(-bound.number) + 1 if bound.strict else math.ceil(-bound.number)
            if any(times < 0 for _, times in bound.terms):
                return None
            if missing > 0 and [times for _, times in bound.terms] != [1]:
                return None
            for term, _ in bound.terms:
                least[term] = max(missing, least.get(term, 0))
        return least


@dataclass(frozen=True)
class _Comparison:
    """``row - column``, or ``column - row`` where it is ``flipped``, is within a bound."""

    flipped: bool
    bound: Bound

    def negated(self) -> _Comparison:
        return _Comparison(not self.flipped, self.bound.opposite())

    def excludes(self, other: _Comparison) -> bool:
        """Certainly not both hold: they bound the difference from two sides, crosswise."""
        if self.flipped == other.flipped:
            return False
        mine, its = self.bound, other.bound.opposite()
        room = mine.number - its.number
        return mine.terms == its.terms and (
            room < 0 or (room == 0 and (mine.strict or other.bound.strict))
        )

    def left_no_room(self, other: _Comparison) -> list[Term]:
        """The numbers for which both hold only where one of them is negative: they bound the
        difference from two sides, which leave less room the larger these are."""
        if self.flipped == other.flipped:
            return []
        total: dict[Term, int] = {}
        for term, times in (*self.bound.terms, *other.bound.terms):
            total[term] = total.get(term, 0) + times
        total = {term: times for term, times in total.items() if times}
        room = self.bound.number + other.bound.number
        none = room < 0 or (room == 0 and (self.bound.strict or other.bound.strict))
        return list(total) if none and all(times < 0 for times in total.values()) else []


def band(masks: Sequence[Added | Filled], rows: Index, columns: Index) -> Band | None:
    """The band that masks keep together, None where they keep anything else; if need be where
    numbers, as widths are, are not negative."""
    return _band(masks, rows, columns, False) or _band(masks, rows, columns, True)


def _band(
    masks: Sequence[Added | Filled], rows: Index, columns: Index, positive: bool
) -> Band | None:
    reading = _Reading(rows, columns)
    terms = [decided(mask.term if isinstance(mask, Added) else mask.condition) for mask in masks]
    for mask in masks:
        if mask.guards or (isinstance(mask, Added) and mask.scales):
            return None
    for term in terms:
        reading.evaluated(term)
    count = len(reading.comparisons)
    if not 0 < count <= _MOST:
        return None
    kept: list[tuple[bool, ...]] = []
    possible: list[tuple[bool, ...]] = []
    infinite = True
    taken: list[Term] = []
    for outcomes in itertools.product((True, False), repeat=count):
        holding = [
            each if outcome else each.negated()
            for each, outcome in zip(reading.comparisons, outcomes, strict=True)
        ]
        pairs = list(itertools.combinations(holding, 2))
        if any(a.excludes(b) for a, b in pairs):
            continue
        impossible = [term for a, b in pairs for term in a.left_no_room(b)] if positive else []
        if impossible:
            taken += impossible
            continue
        reading.outcomes = list(outcomes)
        left_out = [_leaves_out(m, reading.evaluated(t)) for m, t in zip(masks, terms, strict=True)]
        if None in left_out:
            return None
        possible.append(outcomes)
        infinite = infinite and "finite" not in left_out
        if not any(left_out):
            kept.append(outcomes)
    if not kept:
        return None
    fixed = [place for place in range(count) if len({each[place] for each in kept}) == 1]
    within = [each for each in possible if all(each[p] == kept[0][p] for p in fixed)]
    if len(within) != len(kept):
        return None
    bounds: dict[bool, list[Bound]] = {True: [], False: []}
    for place in fixed:
        each = reading.comparisons[place]
        each = each if kept[0][place] else each.negated()
        bounds[each.flipped].append(each.bound)
    return Band(_least(bounds[False]), _least(bounds[True]), infinite, tuple(dict.fromkeys(taken)))


def _least(bounds: Sequence[Bound]) -> tuple[Bound, ...]:
    """Bounds without those that others of them imply."""
    kept: dict[tuple[tuple[Term, int], ...], Bound] = {}
    for bound in bounds:
        known = kept.get(bound.terms)
        if known is None or (bound.number, not bound.strict) < (known.number, not known.strict):
            kept[bound.terms] = bound
    return tuple(kept.values())


def _leaves_out(mask: Added | Filled, value: float | None) -> str | None:
    """``infinite`` or ``finite`` where a mask leaves a score out, empty where it keeps it; None
    where it does neither."""
    if value is None:
        return None
    if isinstance(mask, Filled):
        return ("finite" if mask.finite else "infinite") if bool(value) == mask.where else ""
    return minus_infinity(Const(mask.sign * value)) if value else ""


class _Reading:
    """Terms as numbers, given how the comparisons of places come out."""

    def __init__(self, rows: Index, columns: Index) -> None:
        self.rows = rows
        self.columns = columns
        self.comparisons: list[_Comparison] = []
        self.outcomes: list[bool] = []

    def evaluated(self, term: Term) -> float | None:
        """The number that a term is; None where that depends on anything else. Comparisons not met
        before are noted, and taken to hold."""
        if isinstance(term, Const):
            return term.value if isinstance(term.value, (int, float)) else None
        if isinstance(term, Read) and minus_infinity(term) == "finite":
            return _LEAST
        if not isinstance(term, Apply):
            return None
        if term.op in _COMPARE:
            compared = self._compared(term)
            if compared is not None:
                return compared
        found = [self.evaluated(arg) for arg in term.args]
        values = [value for value in found if value is not None]
        if len(values) != len(found) or any(math.isnan(value) for value in values):
            return None
        return _applied(term.op, values)

    def _compared(self, term: Apply) -> bool | None:
        """The outcome of a comparison of places."""
        op, (left, right) = term.op, term.args
        if op in ("eq", "ne"):
            both = [self._within(left, right, False), self._within(right, left, False)]
            return None if None in both else all(both) == (op == "eq")
        if op in ("gt", "ge"):
            op, left, right = {"gt": "lt", "ge": "le"}[op], right, left
        return self._within(left, right, op == "lt")

    def _within(self, left: Term, right: Term, strict: bool) -> bool | None:
        """Whether ``left <= right``, or ``<`` where strict."""
        if isinstance(left, Apply) and left.op == "abs":
            sides = (left.args[0], Apply("neg", left.args))
            both = [self._within(side, right, strict) for side in sides]
            return None if None in both else all(both)
        if isinstance(right, Apply) and right.op == "abs":
            inside = self._within(right, left, not strict)
            return None if inside is None else not inside
        form = self._linear(Apply("sub", (left, right)))
        if form is None:
            return None
        row, column = form.pop(self.rows, 0), form.pop(self.columns, 0)
        number = -form.pop(ONE, 0)
        whole = all(times == int(times) for times in form.values())
        if row not in (1, -1) or column != -row or not whole:
            return None
        terms = tuple(sorted(((t, -int(n)) for t, n in form.items()), key=lambda e: str(e[0])))
        return self._outcome(_Comparison(row < 0, _bound(terms, number, strict)))

    def _outcome(self, comparison: _Comparison) -> bool:
        for place, known in enumerate(self.comparisons):
            if comparison in (known, known.negated()):
                return self.outcomes[place] == (comparison == known)
        self.comparisons.append(comparison)
        self.outcomes.append(True)
        return True

    def _linear(self, term: Term) -> dict[Term, float] | None:
        """Multiples of terms that add up to ``term``; that of ``ONE`` is its constant part."""
        if isinstance(term, Const):
            value = term.value
            known = isinstance(value, (int, float)) and math.isfinite(value)
            return {ONE: value} if known and value else {} if known else None  # type: ignore[dict-item]
        if isinstance(term, Apply) and term.op in ("add", "sub", "neg"):
            total: dict[Term, float] = {}
            for position, arg in enumerate(term.args):
                part = self._linear(arg)
                if part is None:
                    return None
                sign = -1 if term.op == "neg" or (term.op == "sub" and position) else 1
                for each, times in part.items():
                    total[each] = total.get(each, 0) + sign * times
            return {each: times for each, times in total.items() if times}
        if isinstance(term, Apply) and term.op == "mul" and len(term.args) == 2:
            for number, other in (term.args, term.args[::-1]):
                if isinstance(number, Const) and isinstance(number.value, (int, float)):
                    part = self._linear(other)
                    if part is None:
                        return None
                    return {each: times * number.value for each, times in part.items()}
        if not free_indices(term) or (isinstance(term, Read) and used_as_number(term)):
            return {term: 1}
        return {term: 1} if term in (self.rows, self.columns) else None


def _applied(op: str, values: Sequence[float]) -> float | None:
    if op == "where":
        return values[1] if values[0] else values[2]
    if op in _COMPARE:
        return _COMPARE[op](*values)
    if op == "not":
        return not values[0]
    if op == "cast:bool":
        return bool(values[0])
    if op in ("and", "or", "xor"):
        if any(value not in (0, 1) for value in values):
            return None
        return {"and": all(values), "or": any(values), "xor": sum(values) == 1}[op]
    if op.startswith(("cast:float", "cast:bfloat", "cast:like", "cast:int")):
        return values[0]
    if op == "neg":
        return -values[0]
    if op == "add":
        return sum(values)
    if op == "sub":
        return values[0] - values[1]
    if op == "mul":
        return math.prod(values)
    if op == "div" and values[1]:
        return values[0] / values[1]
    if op == "abs":
        return abs(values[0])
    if op == "log" and values[0] >= 0:
        return math.log(values[0]) if values[0] else -math.inf
    if op in ("min", "max"):
        return min(values) if op == "min" else max(values)
    return None
