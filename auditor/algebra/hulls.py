"""Intervals that a step multiplies: the largest and the smallest of some products, of which a
negative factor makes the other.

What is carried is the interval from ``lo`` to ``hi``. A step scales it, which turns it around where
the factor is negative, and widens it to take in the element: the hull of p I and C. Hulls are taken
place by place of what is scaled, p (I u J) = p I u p J, so that steps compose as linear functions
over (hull, *) do. The best that ``hi`` ever was is that of the hull of all products from before.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from auditor.algebra.monoid import Field, Part, field, free, start_of
from auditor.algebra.states import Dependence
from auditor.notation import (
    INF,
    ONE,
    ZERO,
    Apply,
    Carry,
    Const,
    Read,
    Term,
    transform,
)

_NEGATIVE = {"lt": (True, False), "le": (True, False), "gt": (False, True), "ge": (False, True)}
_LEAST = Const(float("-inf"))


@dataclass(frozen=True)
class _Step:
    """The factor of a step, and what it takes in. Of ``whole`` steps either end looks at both, so
    that which of them is the upper one makes no difference."""

    factor: Term
    taken_in: frozenset[Term]
    whole: bool


def hulls(carries: list[Carry], dependence: Dependence, taken: set[str]) -> Part | None:
    """The part of an interval that is scaled, and of the best that its upper end was."""
    if len(carries) not in (2, 3):
        return None
    for hi in carries:
        for lo in carries:
            step = None if lo is hi else _step(hi, lo, dependence)
            if step is None or not (step.whole or _ordered(hi, lo)):
                continue
            others = [c for c in carries if c is not hi and c is not lo]
            if all(_best(one, hi, dependence) for one in others):
                return _part(hi, lo, others, step, set(taken))
    return None


def _ordered(hi: Carry, lo: Carry) -> bool:
    """Does the interval begin as one?"""
    if hi.init is lo.init:
        return True
    a, b = (c.init.value if isinstance(c.init, Const) else None for c in (lo, hi))
    numbers = isinstance(a, (int, float)) and isinstance(b, (int, float))
    return numbers and -float("inf") < a <= b < float("inf")  # type: ignore[operator]


def _step(hi: Carry, lo: Carry, dependence: Dependence) -> _Step | None:
    """The step of an interval, read for negative factors and for the others apart: by the one
    the upper end comes from the lower one."""
    factors = {f for c in (hi, lo) for f in _factors(c.update, (hi, lo), dependence)}
    if len(factors) != 1:
        return None
    (factor,) = factors
    found: list[_Step] = []
    for negative in (True, False):
        for op, carry, other in (("max", hi, lo), ("min", lo, hi)):
            decided = transform(carry.update, _Decided(factor, negative))
            kept = _extreme(decided, op, factor, carry, other, negative, dependence)
            if kept is None or (found and kept.taken_in != found[0].taken_in):
                return None
            found.append(kept)
    taken_in = found[0].taken_in
    return _Step(factor, taken_in, all(one.whole for one in found)) if taken_in else None


class _Decided:
    """Choices by the sign of a factor, where it is known."""

    def __init__(self, factor: Term, negative: bool) -> None:
        self._factor, self._negative = factor, negative

    def __call__(self, node: Term) -> Term:
        if not isinstance(node, Apply) or node.op != "where":
            return node
        condition, then, other = node.args
        if not isinstance(condition, Apply) or condition.op not in _NEGATIVE:
            return node
        a, b = condition.args
        if {a, b} != {self._factor, ZERO} or a is b:
            return node
        below = _NEGATIVE[condition.op][a is ZERO]
        return then if below == self._negative else other


def _factors(term: Term, ends: Iterable[Carry], dependence: Dependence) -> set[Term]:
    """What ends of the interval are multiplied by."""
    states = {end.state for end in ends}
    found = set()
    for node in _nodes(term):
        if isinstance(node, Apply) and node.op == "mul" and len(node.args) == 2:
            inside = [arg for arg in node.args if dependence.mentions(arg, states)]
            if len(inside) == 1:
                found.add(next(arg for arg in node.args if arg is not inside[0]))
    return found


def _nodes(term: Term) -> Iterable[Term]:
    """The term and what its choices and extremes are made of, down to the products."""
    yield term
    if isinstance(term, Apply) and term.op in ("max", "min", "where"):
        for arg in term.args:
            yield from _nodes(arg)


def _extreme(
    term: Term,
    op: str,
    factor: Term,
    mine: Carry,
    other: Carry,
    negative: bool,
    dependence: Dependence,
) -> _Step | None:
    """One end after a step: an extreme of the scaled interval, of which the end that decides must
    be there, and of what is taken in."""
    states = {mine.state, other.state}
    deciding = Read((other if negative else mine).state, ())
    beside, scaled = set(), set()
    for one in _of(term, op):
        if not dependence.mentions(one, states):
            beside.add(one)
            continue
        if not isinstance(one, Apply) or one.op != "mul" or factor not in one.args:
            return None
        scaled |= {arg for arg in one.args if arg is not factor}
    ends = {Read(mine.state, ()), Read(other.state, ())}
    if deciding not in scaled or not scaled <= ends:
        return None
    return _Step(factor, frozenset(beside), scaled == ends)


def _of(term: Term, op: str) -> list[Term]:
    if isinstance(term, Apply) and term.op == op:
        return [inner for arg in term.args for inner in _of(arg, op)]
    return [term]


def _best(carry: Carry, hi: Carry, dependence: Dependence) -> bool:
    """Is a value the most that the upper end ever was, after each step?"""
    mine = Read(carry.state, ())
    parts = _of(carry.update, "max")
    rest = {part for part in parts if part is not mine}
    if mine not in parts or any(dependence.mentions(part, (carry.state,)) for part in rest):
        return False
    return rest in ({hi.update}, set(_of(hi.update, "max")))


def _both(op: str, *terms: Term) -> Term:
    return Apply(op, terms)


def _times(a: Term, *others: Term) -> list[Term]:
    return [Apply("mul", (a, other)) for other in others]


def _part(hi: Carry, lo: Carry, others: list[Carry], step: _Step, taken: set[str]) -> Part:
    scale = field(
        free(f"{hi.name}_scale", taken), "what the interval before the piece is scaled by", ONE
    )
    high = field(hi.name, f"{hi.name} of the piece alone", _LEAST)
    low = field(lo.name, f"{lo.name} of the piece alone", INF)
    taken_in = tuple(sorted(step.taken_in, key=repr))
    most, least = (_both(op, *taken_in) if len(taken_in) > 1 else taken_in[0]
                   for op in ("max", "min"))  # fmt: skip
    fresh = Apply("gt", (low.left, high.left))
    scaled = _times(step.factor, high.left, low.left)
    after = [
        Apply("where", (fresh, most, _both("max", most, *scaled))),
        Apply("where", (fresh, least, _both("min", least, *scaled))),
    ]
    grown = Apply("mul", (step.factor, scale.left))
    moved = _times(scale.right, high.left, low.left)
    update: list[Term] = [grown, *after]
    combine: list[Term] = [
        Apply("mul", (scale.right, scale.left)), _both("max", high.right, *moved),
        _both("min", low.right, *moved),
    ]  # fmt: skip
    start = (start_of(hi), start_of(lo))
    ends = _times(scale.left, *start)
    finish: list[Term] = [
        Apply("where", (fresh, start[0], _both("max", high.left, *ends))),
        Apply("where", (fresh, start[1], _both("min", low.left, *ends))),
    ]
    fields = [scale, high, low]
    for best in others:
        _add_best(best, fields, update, combine, finish, start, taken)
    return Part(
        tuple(c.state for c in (hi, lo, *others)), tuple(fields), tuple(update), tuple(combine),
        tuple(finish), "scaled intervals",
        f"from {lo.name} to {hi.name} is an interval that a step scales and widens: a hull of "
        "intervals scales to the hull of the scaled ones",
        "conditioned", guarded=True,
    )  # fmt: skip


def _add_best(
    best: Carry,
    fields: list[Field],
    update: list[Term],
    combine: list[Term],
    finish: list[Term],
    start: tuple[Term, Term],
    taken: set[str],
) -> None:
    scale, high, low = fields[:3]
    name = best.name
    top = field(free(f"{name}_scale_most", taken), "the most that it was scaled by", _LEAST)
    bottom = field(free(f"{name}_scale_least", taken), "the least that it was scaled by", INF)
    alone = field(name, f"{name} of the piece alone", _LEAST)
    fields += [top, bottom, alone]
    update += [
        _both("max", top.left, update[0]), _both("min", bottom.left, update[0]),
        _both("max", alone.left, update[1]),
    ]  # fmt: skip
    within = [*_times(scale.left, top.right, bottom.right)]
    reached = [t for s in (top.right, bottom.right) for t in _times(s, high.left, low.left)]
    combine += [
        _both("max", top.left, *within), _both("min", bottom.left, *within),
        _both("max", alone.left, alone.right, *reached),
    ]  # fmt: skip
    before = start_of(best)
    corners = [t for s in (top.left, bottom.left) for t in _times(s, *start)]
    empty = Apply("gt", (bottom.left, top.left))
    finish.append(Apply("where", (empty, before, _both("max", before, alone.left, *corners))))
