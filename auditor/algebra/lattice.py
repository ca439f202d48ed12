"""Carried values that only exchange places with inputs: the k smallest, clippings, sorted triples.

A function that picks one of its arguments by comparing them is a lattice polynomial (a maximum of
minima) exactly if, for every threshold, whether the result reaches it depends only on which
arguments do, and monotonically. There are finitely many orders of the arguments, ties among them,
so that this is decided by going through all of them. Orders that the loop never meets are left
out: an inequality between carried values that the start satisfies and every step keeps.

Lattice polynomials in n states have 2^n coefficients, and compose.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from auditor.algebra.affine import NotAffine
from auditor.algebra.limits import TooLarge, tick
from auditor.algebra.states import Dependence
from auditor.notation import FALSE, INF, TRUE, Apply, Carry, Const, Read, Term, Value

MOST_ARGUMENTS = 5
_NEGATIVE_INF = Const(float("-inf"))
_COMPARED: dict[str, Callable[[int, int], bool]] = {
    "lt": lambda a, b: a < b,
    "le": lambda a, b: a <= b,
    "gt": lambda a, b: a > b,
    "ge": lambda a, b: a >= b,
    "eq": lambda a, b: a == b,
    "ne": lambda a, b: a != b,
}


@dataclass(frozen=True)
class Lattice:
    """``coefficients[state][some states]``: the next value is the maximum over the sets of states
    of the minimum of the set and its coefficient. ``kept`` are pairs (low, high) of states."""

    coefficients: dict[Value, dict[frozenset[Value], Term]]
    kept: tuple[tuple[Value, Value], ...]


def lattice(carries: Sequence[Carry], updates: Sequence[Term], dependence: Dependence) -> Lattice:
    """The updates as lattice polynomials; raises ``NotAffine``."""
    states = [carry.state for carry in carries]
    inputs: dict[Term, None] = {}
    for update in updates:
        _collect(update, states, dependence, inputs)
    if len(states) + len(inputs) > MOST_ARGUMENTS:
        raise TooLarge("too many orders")
    arguments: list[Value | Term] = [*states, *inputs]
    orders = list(_orders(len(arguments)))
    results: list[tuple[int, ...]] = []
    for order in orders:
        tick()
        ranks = dict(zip(arguments, order, strict=True))
        run = _Run(ranks)
        results.append(tuple(run.number(update) for update in updates))
    kept = _kept(carries, orders, results)
    met = [
        (order, result)
        for order, result in zip(orders, results, strict=True)
        if all(order[i] <= order[j] for i, j in kept)
    ]
    coefficients = {}
    for place, update in enumerate(updates):
        sets = _threshold([(order, result[place]) for order, result in met], update)
        coefficients[states[place]] = _coefficients(sets, arguments, len(states))
    return Lattice(coefficients, tuple((states[i], states[j]) for i, j in kept))


def _collect(
    term: Term, states: list[Value], dependence: Dependence, inputs: dict[Term, None]
) -> None:
    """The terms that states are compared with and replaced by. Whole conditions without a state
    are not numbers: they are no business of this domain."""
    if isinstance(term, Read) and term.value in states:
        if term.subs != term.value.axes:
            raise NotAffine(term, "another element of the state")
        return
    if not dependence.mentions(term, states):
        if isinstance(term, Apply) and (term.op in ("max", "min", "where") or term.op in _COMPARED):
            for arg in term.args:
                _collect(arg, states, dependence, inputs)
            return
        if term not in (TRUE, FALSE):
            inputs[term] = None
        return
    known = ("max", "min", "where", "and", "or", "not")
    if not isinstance(term, Apply) or (term.op not in known and term.op not in _COMPARED):
        raise NotAffine(term, "arithmetic on a state")
    for arg in term.args:
        _collect(arg, states, dependence, inputs)


@dataclass
class _Run:
    """The updates where the arguments are ordered in one way."""

    ranks: dict[Value | Term, int]

    def number(self, term: Term) -> int:
        if term in self.ranks:
            return self.ranks[term]
        if isinstance(term, Read) and term.value in self.ranks:
            return self.ranks[term.value]
        if isinstance(term, Apply) and term.op in ("max", "min"):
            found = [self.number(arg) for arg in term.args]
            return max(found) if term.op == "max" else min(found)
        if isinstance(term, Apply) and term.op == "where":
            return self.number(term.args[1] if self.truth(term.args[0]) else term.args[2])
        raise NotAffine(term, "arithmetic on a state")

    def truth(self, term: Term) -> bool:
        if term in (TRUE, FALSE):
            return term is TRUE
        if isinstance(term, Apply):
            if term.op in _COMPARED:
                return _COMPARED[term.op](*(self.number(arg) for arg in term.args))
            if term.op == "not":
                return not self.truth(term.args[0])
            if term.op in ("and", "or"):
                found = [self.truth(arg) for arg in term.args]
                return all(found) if term.op == "and" else any(found)
        raise NotAffine(term, "a condition that is no comparison")


def _orders(count: int) -> Iterator[tuple[int, ...]]:
    """Every weak order of ``count`` things, as ranks 0, 1, ... without gaps."""
    for ranks in itertools.product(range(count), repeat=count):
        if set(ranks) == set(range(max(ranks, default=-1) + 1)):
            yield ranks


def _kept(
    carries: Sequence[Carry], orders: list[tuple[int, ...]], results: list[tuple[int, ...]]
) -> list[tuple[int, int]]:
    """Pairs (i, j) with state i <= state j at the start and after every step that keeps all."""
    count = len(carries)
    kept = [
        (i, j)
        for i in range(count)
        for j in range(count)
        if i != j and _starts_ordered(carries[i].init, carries[j].init)
    ]
    while True:
        held = [
            result
            for order, result in zip(orders, results, strict=True)
            if all(order[i] <= order[j] for i, j in kept)
        ]
        still = [(i, j) for i, j in kept if all(r[i] <= r[j] for r in held)]
        if still == kept:
            return kept
        kept = still


def _starts_ordered(low: Term, high: Term) -> bool:
    if low is high:
        return True
    numbers = []
    for term in (low, high):
        if not isinstance(term, Const) or not isinstance(term.value, (int, float)):
            return False
        numbers.append(term.value)
    return bool(numbers[0] <= numbers[1])


def _threshold(runs: list[tuple[tuple[int, ...], int]], update: Term) -> list[frozenset[int]]:
    """The least sets of arguments whose reaching a threshold makes the result reach it."""
    reached: dict[frozenset[int], bool] = {}
    for order, result in runs:
        for level in range(1, max(order) + 1):
            above = frozenset(n for n, rank in enumerate(order) if rank >= level)
            if reached.setdefault(above, result >= level) != (result >= level):
                raise NotAffine(update, "a choice that is no maximum of minima")
    true = [s for s, yes in reached.items() if yes]
    for false in (s for s, yes in reached.items() if not yes):
        if any(s < false for s in true):
            raise NotAffine(update, "a choice that falls where an argument rises")
    every = frozenset(range(len(runs[0][0]))) if runs else frozenset()
    least = [s for s in true if not any(other < s for other in true)]
    return least or [every]


def _coefficients(
    sets: list[frozenset[int]], arguments: list[Value | Term], count: int
) -> dict[frozenset[Value], Term]:
    found: dict[frozenset[Value], Term] = {}
    for chosen in sets:
        states = frozenset(a for n in chosen if n < count and isinstance(a := arguments[n], Value))
        others = [a for n in sorted(chosen) if n >= count and isinstance(a := arguments[n], Term)]
        limit: Term = others[0] if others else INF
        for other in others[1:]:
            limit = Apply("min", (limit, other))
        old = found.get(states)
        found[states] = limit if old is None else Apply("max", (old, limit))
    return found
