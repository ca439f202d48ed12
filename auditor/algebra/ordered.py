"""Carried values of which one is never above the other, and what that decides of the updates:
what lies below the least so far need not be compared with the most.

That ``a <= b`` is kept is proven by induction, branch by branch, from the comparisons that lead
there. It is used of states that a loop can reach, which are those that a piece is applied to.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import dataclass, replace

from auditor.algebra.extremes import extreme
from auditor.algebra.limits import TooLarge, tick, within
from auditor.algebra.normal import Normaliser
from auditor.algebra.states import Dependence
from auditor.notation import FALSE, NONE, TRUE, Apply, Carry, Const, Read, Scan, Term, rebuild, walk

_MOST = 6
_STEPS = 4000
_OPPOSITE = {"lt": "ge", "le": "gt", "gt": "le", "ge": "lt"}


@dataclass(frozen=True)
class _Facts:
    """What is known where a branch has led: how some conditions are answered, and which terms are
    below which others (the third says: strictly)."""

    answers: Mapping[Term, bool]
    below: tuple[tuple[Term, Term, bool], ...] = ()

    def where(self, condition: Term, holds: bool) -> _Facts:
        """What is known where, besides, a condition holds or does not."""
        found = _Facts({**self.answers, condition: holds}, self.below)
        if not isinstance(condition, Apply):
            return found
        if condition.op == "not":
            return found.where(condition.args[0], not holds)
        if condition.op == ("and" if holds else "or"):
            for part in condition.args:
                found = found.where(part, holds)
        if condition.op == "eq" and holds:
            a, b = condition.args
            return _Facts(found.answers, (*found.below, (a, b, False), (b, a, False)))
        if condition.op in _OPPOSITE:
            op = condition.op if holds else _OPPOSITE[condition.op]
            a, b = condition.args if op in ("lt", "le") else condition.args[::-1]
            return _Facts(found.answers, (*found.below, (a, b, op in ("lt", "gt"))))
        return found

    def least(self, low: Term, high: Term) -> bool | None:
        """Is ``low`` at most ``high``? True where it is strictly less, False where it may be as
        large, None where it is not known."""
        best: bool | None = None
        seen: dict[Term, bool] = {}
        waiting = [(low, False)]
        while waiting:
            tick()
            term, strict = waiting.pop()
            if seen.get(term, False) >= strict and term in seen:
                continue
            seen[term] = strict
            if term is high or (_is(high, "max") and term in high.args):  # type: ignore[attr-defined]
                best = bool(best) or strict
            waiting += [(b, strict or more) for a, b, more in self.below if a is term]
            if isinstance(term, Apply) and term.op == "min":
                waiting += [(arg, strict) for arg in term.args]
        return best

    def same(self, one: Term, other: Term) -> bool:
        """Are two terms equal?"""
        return self.least(one, other) is not None and self.least(other, one) is not None

    def known(self, condition: Term) -> bool | None:
        """The answer to a condition, where it is known."""
        if condition in self.answers:
            return self.answers[condition]
        if not isinstance(condition, Apply):
            return None
        if condition.op == "not":
            inner = self.known(condition.args[0])
            return None if inner is None else not inner
        if condition.op in ("gt", "ge"):
            inner = self.known(Apply(_OPPOSITE[condition.op], condition.args))
            return None if inner is None else not inner
        if condition.op not in ("lt", "le"):
            return None
        a, b = condition.args
        up, down = self.least(a, b), self.least(b, a)
        if up or (up is not None and condition.op == "le"):
            return True
        return False if down or (down is not None and condition.op == "lt") else None

    def settled(self, term: Term) -> Term:
        """``term`` with what the facts decide decided."""
        tick()
        if not isinstance(term, Apply):
            return term
        if term.op in ("max", "min") and len(term.args) == 2:
            a, b = (self.settled(arg) for arg in term.args)
            for x, y in ((a, b), (b, a)):
                if self.least(x, y) is not None:
                    return y if term.op == "max" else x
            return rebuild(term, (a, b))
        if term.op != "where":
            return term
        condition, then, other = term.args
        answer = self.known(condition)
        if answer is not None:
            return self.settled(then if answer else other)
        chosen = extreme(term, Normaliser()) if isinstance(condition, Apply) else None
        if chosen is not None and not isinstance(found := self.settled(chosen), Apply):
            return found
        yes, no = self.where(condition, True), self.where(condition, False)
        first, second = yes.settled(then), no.settled(other)
        if yes.settled(other) is first or yes.same(first, other):
            return self.settled(other)
        if no.settled(then) is second:
            return self.settled(then)
        return rebuild(term, (condition, first, second))

    def proves(self, low: Term, high: Term) -> bool:
        """Is ``low`` at most ``high`` on every path?"""
        tick()
        for term, first in ((low, True), (high, False)):
            if _is(term, "where"):
                condition, *sides = term.args  # type: ignore[attr-defined]
                answer = self.known(condition)
                branches = zip((True, False), sides, strict=True)
                return all(
                    self.where(condition, holds).proves(*((side, high) if first else (low, side)))
                    for holds, side in branches
                    if answer in (None, holds)
                )
        return self.least(low, high) is not None


def ordered(scan: Scan) -> Scan:
    """The loop with what the order of its carried values decides decided."""
    carries = scan.carries
    dependence = Dependence()
    states = {carry.state for carry in carries}
    if len(carries) > _MOST or not any(
        (dependence.states(c.update) & states) - {c.state} for c in carries
    ):
        return scan
    try:
        with within(_STEPS):
            changed = _with_order(carries)
    except TooLarge:
        return scan
    if all(a.update is b.update for a, b in zip(changed, carries, strict=True)):
        return scan
    out = Scan(scan.step, scan.span)
    out.carries = changed
    return out


def _with_order(carries: tuple[Carry, ...]) -> tuple[Carry, ...]:
    pairs = [(a, b) for a, b in itertools.permutations(carries, 2) if _kept(a, b)]
    below = tuple((Read(a.state, ()), Read(b.state, ()), False) for a, b in pairs)
    facts = _Facts({}, below)
    equal = any(isinstance(n, Apply) and n.op == "eq" for c in carries for n in walk(c.update))
    if not pairs and not equal:
        return carries
    return tuple(replace(c, update=facts.settled(c.update)) for c in carries)


def _kept(low: Carry, high: Carry) -> bool:
    """Does one value begin no larger than another, and stay so?"""
    a, b = low.init, high.init
    if not isinstance(a, Const) or not isinstance(b, Const):
        return False
    numbers = all(isinstance(v, (int, float)) for v in (a.value, b.value))
    if not (a is NONE is b or (numbers and a.value <= b.value)):  # type: ignore[operator]
        return False
    if {a, b} & {TRUE, FALSE}:
        return False
    here = _Facts({}, ((Read(low.state, ()), Read(high.state, ()), False),))
    return here.proves(low.update, high.update)


def _is(term: Term, op: str) -> bool:
    return isinstance(term, Apply) and term.op == op
