"""The best stretch so far, with values kept from where it began and where it ended: the largest sum
of neighbours and its place, the worst fall and its days, the longest run and its start.

One value is carried on from element to element, or begun anew (by which of the two is larger, or
by what the element says), and what it begins with is kept beside it; another one is the best that
it has been, with values kept from there. Of a piece two kinds of stretches are told apart: those
that began before it, of which only the end is known, and its own. The larger one decides, of
equally large ones the one that ended first, and of those that ended together the one that a step
would have kept.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeGuard

from auditor.algebra.best import Resolver
from auditor.algebra.choices import asked_once, settled
from auditor.algebra.extremes import extreme
from auditor.algebra.followers import needed
from auditor.algebra.monoid import Field, Part, field, free, grade, start_of
from auditor.algebra.normal import Normaliser
from auditor.algebra.polynomial import subtract
from auditor.algebra.semirings import SUMS, NotLinear, linear, same_number
from auditor.algebra.signs import pushed
from auditor.algebra.states import Dependence
from auditor.notation import (
    FALSE,
    NONE,
    ONE,
    TRUE,
    ZERO,
    Apply,
    Carry,
    Const,
    Read,
    Term,
    Value,
    transform,
)

_LEAST = Const(float("-inf"))
_MOST = 8


Case = dict[Value, Term]
"""What the carried values become, one way to decide."""


@dataclass(frozen=True)
class _Candidate:
    """What is compared with the best: something beside the running value (``inherits``) or of the
    element alone, and what is kept then: of the element, or what is kept of the beginning."""

    inherits: bool
    beside: Term
    kept: tuple[Term, ...]


@dataclass(frozen=True)
class _Segments:
    """How the carried values make stretches. ``on`` is what a step adds to the running one,
    ``anew`` what it begins as, ``begun`` what is kept of the beginning; ``goes`` says when it goes
    on, or (None) that the larger one decides, the new one on a tie if ``renews``. The best
    is ``side`` times the most that ``side`` times the candidates are, which have ``sign`` times
    the running value in them; ``fresh`` is that of what is begun anew, if it is another."""

    running: Carry
    best: Carry
    sign: int
    side: int
    on: Term
    anew: Term
    goes: Term | None
    renews: bool
    starts: tuple[Carry, ...]
    begun: tuple[Term, ...]
    marks: tuple[Carry, ...]
    going: _Candidate
    fresh: _Candidate | None


def segments(carries: Sequence[Carry], dependence: Dependence, taken: set[str]) -> Part | None:
    """The best stretch with what is kept of it."""
    if not 3 <= len(carries) <= _MOST:
        return None
    numbers = [c for c in carries if c.init is not NONE]
    for running, best in itertools.permutations(numbers, 2):
        if dependence.mentions(running.update, {c.state for c in carries} - {running.state}):
            continue
        for reading in _readings(running, best, dependence):
            found = reading.read(carries)
            if found is not None:
                return _Kept(found, taken - {c.name for c in carries}).part()
    return None


def _readings(running: Carry, best: Carry, dependence: Dependence) -> Iterator[_Reading]:
    """The ways to take a carried value as one that goes on or is begun anew."""
    update = running.update
    if not isinstance(update, Apply):
        return
    normaliser = Normaliser()
    whole = (extreme(update, normaliser) if update.op == "where" else None) or update
    pairs: list[tuple[Term, Term, Term | None, Const]] = []
    if whole.op in ("max", "min") and len(whole.args) == 2:
        pairs = [(*whole.args, None, TRUE), (*whole.args[::-1], None, TRUE)]
    elif whole.op == "where":
        test, then, other = whole.args
        pairs = [(other, then, test, TRUE), (then, other, test, FALSE)]
    for goes, anew, asked, answer in pairs:
        if dependence.states(anew) or (asked is not None and dependence.states(asked)):
            continue
        on = _beside(goes, running, dependence)
        if on is not None:
            kind = whole.op if asked is None else None
            yield _Reading(running, best, on, anew, asked, answer, kind, normaliser, dependence)


def _beside(term: Term, carry: Carry, dependence: Dependence, sign: int = 1) -> Term | None:
    """What stands beside a carried value in a sum of both, if that is of the element alone."""
    try:
        row = linear(term, [carry.state], SUMS)
    except NotLinear:
        return None
    rest = row.get(None, ZERO)
    factor = row.get(carry.state)
    if factor is None or not same_number(factor, Const(sign)) or dependence.states(rest):
        return None
    return rest


@dataclass(frozen=True)
class _Reading:
    """One way to take the running value; ``kind`` says which of the two values is kept, if that is
    how it is decided."""

    running: Carry
    best: Carry
    on: Term
    anew: Term
    asked: Term | None
    answer: Const
    kind: str | None
    normaliser: Normaliser
    dependence: Dependence

    def read(self, carries: Sequence[Carry]) -> _Segments | None:
        """How the others follow these two, or None where one does not."""
        on, anew, tie = (self._case(carries, way) for way in (-1, 1, 0))
        others = [c for c in carries if c not in (self.running, self.best)]
        starts = tuple(c for c in others if self._is_start(c, on, anew))
        marks = tuple(c for c in others if c not in starts)
        names = {c.state for c in starts}
        going = self._candidate(on, marks, names)
        fresh = self._candidate(anew, marks, names)
        if tie not in (on, anew) or going is None or fresh is None or not going[0].inherits:
            return None
        (first, sign, side), (second, _, other) = going, fresh
        if side != other or (second.inherits and (second, sign) != (first, fresh[1])):
            return None
        if self.kind is not None and self.kind != ("max" if sign * side > 0 else "min"):
            return None
        goes = self.asked
        if goes is not None and self.answer is TRUE:
            goes = goes.args[0] if _denied(goes) else Apply("not", (goes,))
        return _Segments(
            self.running, self.best, sign, side, self.on, self.anew, goes, tie == anew != on,
            starts, tuple(anew[c.state] for c in starts), marks, first,
            None if second.inherits else second,
        )  # fmt: skip

    def _case(self, carries: Sequence[Carry], way: int) -> Case:
        """The updates where the running value goes on (-1), is begun anew (1), or either (0)."""
        if self.asked is not None:
            yes = self.answer if way >= 0 else Const(not self.answer.value)
            asked = self.asked

            def answered(node: Term) -> Term:
                return yes if node is asked else node

            return {c.state: settled(transform(c.update, answered), {}) for c in carries}
        goes = SUMS.add(Read(self.running.state, ()), self.on)
        gap = subtract(self.normaliser.normal(self.anew), self.normaliser.normal(goes))
        sign = way if self.kind == "max" else -way
        resolver = Resolver(self.normaliser, gap, sign)
        return {c.state: resolver.resolved(c.update) for c in carries}

    def _is_start(self, carry: Carry, on: Case, anew: Case) -> bool:
        kept = on[carry.state] is Read(carry.state, ())
        return kept and not self.dependence.states(anew[carry.state])

    def _candidate(
        self, case: Case, marks: Sequence[Carry], starts: set[Value]
    ) -> tuple[_Candidate, int, int] | None:
        """What the best is compared with, with its sign and the side that is better."""
        mine, update = Read(self.best.state, ()), case[self.best.state]
        if isinstance(update, Apply) and update.op == "where":
            update = extreme(update, self.normaliser) or update
        if not isinstance(update, Apply) or update.op not in ("max", "min"):
            return None
        if len(update.args) != 2 or mine not in update.args:
            return None
        (new,) = [arg for arg in update.args if arg is not mine] or [mine]
        side = 1 if update.op == "max" else -1
        gap = subtract(self.normaliser.normal(new), self.normaliser.normal(mine))
        better, same, worse = (
            [Resolver(self.normaliser, gap, way * side).resolved(case[c.state]) for c in marks]
            for way in (1, 0, -1)
        )
        if worse != [Read(c.state, ()) for c in marks] or same != worse:
            return None
        for term in better:
            if self.dependence.states(term) and not (
                isinstance(term, Read) and term.value in starts
            ):
                return None
        if not self.dependence.states(new):
            return _Candidate(False, new, tuple(better)), 0, side
        for sign in (1, -1):
            beside = _beside(new, self.running, self.dependence, sign)
            if beside is not None:
                return _Candidate(True, beside, tuple(better)), sign, side
        return None


@dataclass(frozen=True)
class _Stretch:
    """The best of some stretches: how large it is, after how many elements, and what is kept of it
    (NONE, where that is what is kept of a beginning before the piece)."""

    value: Term
    place: Term
    kept: tuple[Term, ...]


@dataclass(frozen=True)
class _Side:
    """A piece, as terms: whether the running value goes on through all of it, what it adds to it,
    the running value of its own and what is kept of its beginning; the best of the stretches from
    before (without the running value there), and of its own."""

    count: Term
    open: Term
    added: Term
    own: Term
    starts: tuple[Term, ...]
    outer: _Stretch
    inner: _Stretch


class _Kept:
    """The part of such stretches. All values are counted so that the largest is the best."""

    def __init__(self, found: _Segments, taken: set[str]) -> None:
        self.found, self.taken = found, set(taken)
        self.turn = found.sign * found.side
        self.inherits = [
            next((n for n, c in enumerate(found.starts) if term is Read(c.state, ())), None)
            for term in found.going.kept
        ]
        name, best = found.running.name, found.best.name
        self.count = self._new("count", "how many elements the piece has", ZERO)
        self.open = self._new(f"{name}_goes_on", f"is {name} begun nowhere in the piece?", TRUE)
        self.added = self._new(f"{name}_added", f"what is added to the {name} before it", ZERO)
        self.own = self._new(name, f"{name} of what begins in the piece{self._words()}", _LEAST)
        self.starts = [self._new(c.name, f"{c.name} of that", NONE) for c in found.starts]
        outer = f"the {best} of what began before it, without the {name} there{self._words()}"
        self.outer = self._fields(f"{best}_from_before", outer)
        self.inner = self._fields(best, f"{best} of what begins in the piece{self._words()}")

    def _words(self) -> str:
        return "" if self.turn > 0 and self.found.side > 0 else ", negated where less is better"

    def _new(self, name: str, meaning: str, identity: Term) -> Field:
        return field(free(name, self.taken), meaning, identity)

    def _fields(self, name: str, meaning: str) -> tuple[Field, Field, list[Field]]:
        place = self._new(f"{name}_place", f"after how many elements {name} is reached", ZERO)
        kept = [self._new(f"{c.name}_of_{name}", f"{c.name} where {name} is reached", NONE)
                for c in self.found.marks]  # fmt: skip
        return self._new(name, meaning, _LEAST), place, kept

    def part(self) -> Part:
        """All of it."""
        left, right, step = self._side("left"), self._side("right"), self._step()
        update, combine = (self._terms(self._joined(left, other)) for other in (step, right))
        finish = self._finish(left)
        found = self.found
        names = ", ".join(c.name for c in (*found.starts, *found.marks))
        return needed(Part(
            tuple(finish), tuple(self._all()), update, combine, tuple(finish.values()),
            f"the best {found.best.name} with where it began and ended",
            f"{found.running.name} goes on or is begun anew, {found.best.name} is the best that it "
            f"was, and {names} is kept from there: the better one of what began before a piece and "
            "of what begins in it decides, the one that ended first on a tie",
            grade(combine),
        ))  # fmt: skip

    def _all(self) -> Iterator[Field]:
        yield from (self.count, self.open, self.added, self.own, *self.starts)
        for value, place, kept in (self.outer, self.inner):
            yield from (value, place, *kept)

    def _terms(self, side: _Side) -> tuple[Term, ...]:
        """What becomes of the fields, in their order."""
        stretches = [(s.value, s.place, *s.kept) for s in (side.outer, side.inner)]
        return (side.count, side.open, side.added, side.own, *side.starts, *stretches[0],
                *stretches[1])  # fmt: skip

    # -- pieces

    def _side(self, which: str) -> _Side:
        def of(one: Field) -> Term:
            term: Term = getattr(one, which)
            return term

        outer, inner = (
            _Stretch(of(value), of(place), tuple(map(of, kept)))
            for value, place, kept in (self.outer, self.inner)
        )
        return _Side(of(self.count), of(self.open), of(self.added), of(self.own),
                     tuple(map(of, self.starts)), outer, inner)  # fmt: skip

    def _step(self) -> _Side:
        """One element as a piece."""
        found = self.found
        none = _Stretch(_LEAST, ZERO, tuple(NONE for _ in found.marks))
        going = self._stretch(found.going)
        fresh = none if found.fresh is None else self._stretch(found.fresh)
        on, anew = (_turned(term, self.turn) for term in (found.on, found.anew))
        if found.goes is None:
            return _Side(ONE, FALSE, on, anew, found.begun, going, fresh)
        goes = _Side(ONE, TRUE, on, _LEAST, tuple(NONE for _ in found.begun), going, none)
        outer = going if found.fresh is None else none
        begins = _Side(ONE, FALSE, ZERO, anew, found.begun, outer, fresh)
        return self._either(found.goes, goes, begins)

    def _either(self, condition: Term, one: _Side, other: _Side) -> _Side:
        def choose(a: Term, b: Term) -> Term:
            return asked_once(condition, a, b)

        return _Side(
            ONE, condition, choose(one.added, other.added),
            choose(one.own, other.own), tuple(map(choose, one.starts, other.starts)),
            _chosen(condition, one.outer, other.outer), _chosen(condition, one.inner, other.inner),
        )  # fmt: skip

    def _stretch(self, one: _Candidate) -> _Stretch:
        kept = (NONE if place is not None and one is self.found.going else term
                for term, place in zip(one.kept, self.inherits, strict=True))  # fmt: skip
        return _Stretch(_turned(one.beside, self.found.side), ONE, tuple(kept))

    # -- two pieces

    def _joined(self, left: _Side, right: _Side) -> _Side:
        count = SUMS.add(left.count, right.count)
        added = SUMS.add(left.added, right.added)
        passed = self._passed(left, right)
        later = _Stretch(SUMS.add(left.added, right.outer.value),
                         SUMS.add(left.count, right.outer.place), right.outer.kept)  # fmt: skip
        outer = _better(left.outer, later)
        moved = SUMS.add(left.own, right.added)
        if self.found.goes is None:
            anew = Apply("le" if self.found.renews else "lt", (moved, right.own))
            own: Term = Apply("max", (moved, right.own))
            starts = (
                asked_once(anew, b, a) for a, b in zip(left.starts, right.starts, strict=True)
            )
            return _Side(count, FALSE, added, own, tuple(starts), outer, passed)
        starts = (
            asked_once(right.open, a, b) for a, b in zip(left.starts, right.starts, strict=True)
        )
        return _Side(
            count, Apply("and", (left.open, right.open)), asked_once(left.open, added, left.added),
            asked_once(right.open, moved, right.own), tuple(starts),
            _chosen(left.open, outer, left.outer), passed,
        )  # fmt: skip

    def _passed(self, left: _Side, right: _Side) -> _Stretch:
        """The best of what begins in either of two pieces."""
        return _better(left.inner, self._onward(left.own, left.starts, left.count, right))

    def _onward(
        self, running: Term, starts: tuple[Term, ...], count: Term, right: _Side
    ) -> _Stretch:
        """The best in a piece after what a running value and what is kept of its beginning are."""
        kept = (
            term if place is None else starts[place]
            for term, place in zip(right.outer.kept, self.inherits, strict=True)
        )
        on = _Stretch(SUMS.add(running, right.outer.value), right.outer.place, tuple(kept))
        anew = right.inner
        if anew.value is _LEAST:
            best = on
        elif self.found.goes is not None:
            best = _better(on, anew)
        else:
            # of those that are as large, the one that ended first
            same = Apply("le" if self.found.renews else "lt", (anew.place, on.place))
            level = Apply("and", (Apply("eq", (anew.value, on.value)), same))
            wins: Term = Apply("or", (Apply("lt", (on.value, anew.value)), level))
            if anew.place is on.place:
                wins = Apply("le" if self.found.renews else "lt", (on.value, anew.value))
            best = _chosen(wins, anew, on, Apply("max", (on.value, anew.value)))
        return _Stretch(best.value, SUMS.add(count, best.place), best.kept)

    # -- after the last element

    def _finish(self, left: _Side) -> dict[Value, Term]:
        found = self.found
        before = tuple(start_of(c) for c in found.starts)
        start, best = start_of(found.running), start_of(found.best)
        moved = SUMS.add(_turned(start, self.turn), left.added)
        if found.goes is None:
            anew = Apply("le" if found.renews else "lt", (moved, left.own))
            some = Apply("not", (Apply("eq", (left.count, ZERO)),))
            anew = Apply("and", (some, anew)) if found.renews else anew
            own: Term = Apply("max", (moved, left.own))
        else:
            anew = Apply("not", (left.open,))
            own = asked_once(anew, left.own, moved)
        out: dict[Value, Term] = {found.running.state: _turned(own, self.turn)}
        for c, was, term in zip(found.starts, before, left.starts, strict=True):
            out[c.state] = asked_once(anew, term, was)
        whole = self._onward(_turned(start, self.turn), before, ZERO, left)
        wins = Apply("lt", (_turned(best, found.side), whole.value))
        out[found.best.state] = asked_once(wins, _turned(whole.value, found.side), best)
        for c, term in zip(found.marks, whole.kept, strict=True):
            out[c.state] = asked_once(wins, term, start_of(c))
        return out


def _denied(term: Term) -> TypeGuard[Apply]:
    return isinstance(term, Apply) and term.op == "not"


def _turned(term: Term, by: int) -> Term:
    return term if by > 0 else pushed(Apply("neg", (term,)))


def _chosen(condition: Term, one: _Stretch, other: _Stretch, value: Term | None = None) -> _Stretch:
    return _Stretch(
        value or asked_once(condition, one.value, other.value),
        asked_once(condition, one.place, other.place),
        tuple(asked_once(condition, a, b) for a, b in zip(one.kept, other.kept, strict=True)),
    )  # fmt: skip


def _better(first: _Stretch, second: _Stretch) -> _Stretch:
    """The larger of two stretches, on a tie the first one."""
    wins = Apply("lt", (first.value, second.value))
    return _chosen(wins, second, first, Apply("max", (first.value, second.value)))
