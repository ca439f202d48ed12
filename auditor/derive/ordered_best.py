"""The best element so far by several keys in turn: the cheapest, of those the best rated, of those
the first by name.

A step keeps what it holds or puts the element in its place, as comparisons of keys of both say. As
a question to which key is larger, as large or smaller, that is looked at for all answers: where it
is the order by one key, then by the next, the better of two pieces is found by the same question.
"""

from __future__ import annotations

import ast
import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from auditor.algebra.choices import decided
from auditor.algebra.derivation import NoMonoid, components, derive, tidied
from auditor.algebra.monoid import Field, Monoid, Part, field, free, start_of
from auditor.algebra.states import Dependence
from auditor.derive.expression import source
from auditor.notation import (
    FALSE,
    NONE,
    TRUE,
    Apply,
    Carry,
    Read,
    Scan,
    Term,
    Value,
    substitute,
    transform,
    walk,
)
from auditor.tree import replaced

ALGEBRA = "the best by several keys in turn"
_MOST_KEYS = 3
_HOLDS = {
    "lt": (-1,), "le": (-1, 0), "gt": (1,), "ge": (1, 0), "eq": (0,), "ne": (-1, 1),
}  # fmt: skip
_MIRRORED = {"lt": "gt", "le": "ge", "gt": "lt", "ge": "le", "eq": "eq", "ne": "ne"}


class _NoOrder(Exception):
    """What decides is no order by keys."""


@dataclass(frozen=True)
class _Asked:
    """A comparison of a key of the element with the same key of what is held: ``op`` is that of
    the element's with the held one's; ``order`` says which key it is."""

    op: str
    order: int
    key: Term


def ordered_best(carries: list[Carry], dependence: Dependence, taken: set[str]) -> Part | None:
    """The part of values that are kept or replaced together, by an order of keys."""
    try:
        return _Best(carries, dependence).part(taken)
    except _NoOrder:
        return None


def replaces(scan: Scan) -> bool:
    """May values be kept or replaced as a whole?"""
    return any(isinstance(c.update, Apply) and c.update.op == "where" for c in scan.carries)


def with_orders(scan: Scan, varying: Callable[[Value], bool]) -> Monoid | None:
    """The monoid of a loop of which some carried values are the best by several keys."""
    dependence = Dependence()
    parts: list[Part] = []
    taken = {carry.name for carry in scan.carries}
    for group in components(scan, dependence):
        part = ordered_best(group, dependence, taken)
        if part is None:
            under = Scan(scan.step)
            under.carries = tuple(group)
            monoid = derive(under, varying)
            if isinstance(monoid, NoMonoid):
                return None
            parts += monoid.parts
        else:
            parts.append(tidied(part))
        taken |= {one.name for one in parts[-1].fields}
    found = any(part.algebra == ALGEBRA for part in parts)
    return Monoid(tuple(parts)) if found else None


def _leaves(term: Term) -> Iterator[Term]:
    if isinstance(term, Apply) and term.op == "where":
        yield from _leaves(term.args[1])
        yield from _leaves(term.args[2])
    else:
        yield term


class _Best:
    def __init__(self, carries: list[Carry], dependence: Dependence) -> None:
        self._carries, self._dependence = carries, dependence
        self._states = {carry.state for carry in carries}
        self._new = {carry.state: self._replacement(carry) for carry in carries}
        self._chosen: int | None = None
        self._eligible: dict[Term, Term] = {}
        self._best: tuple[int, ...] = ()
        self._asked: dict[Term, _Asked] = {}
        self._absent: set[Term] = set()
        self._alone: list[Term] = []
        self._keys: list[str] = []
        self._taken = [_taken(c.update, Read(c.state, ())) for c in carries]
        for condition in self._taken:
            self._read(condition)
        if not 1 <= len(self._keys) <= _MOST_KEYS or len(self._alone) > _MOST_KEYS:
            raise _NoOrder

    def _replacement(self, carry: Carry) -> Term:
        own = Read(carry.state, ())
        new = {leaf for leaf in _leaves(carry.update) if leaf is not own}
        if len(new) != 1 or self._dependence.mentions(value := new.pop(), self._states):
            raise _NoOrder
        return value

    # -- what is asked

    def _read(self, term: Term) -> None:
        """The comparisons in a condition."""
        if term in (TRUE, FALSE) or term in self._asked or term in self._absent:
            return
        if not self._dependence.mentions(term, self._states):
            if term not in self._alone:
                self._alone.append(term)
            return
        if not isinstance(term, Apply):
            raise _NoOrder
        if term.op in ("and", "or", "not", "where"):
            for arg in term.args:
                self._read(arg)
        elif term.op == "is" and term.args[1] is NONE and self._held(term.args[0]):
            self._absent.add(term)
        elif term.op in _HOLDS:
            self._compared(term)
        else:
            raise _NoOrder

    def _held(self, term: Term) -> bool:
        return isinstance(term, Read) and term.value in self._states

    def _compared(self, term: Apply) -> None:
        first, second = term.args
        op = term.op
        if self._dependence.mentions(first, self._states):
            first, second, op = second, first, _MIRRORED[op]
        if self._dependence.mentions(first, self._states):
            raise _NoOrder
        by: dict[Term, Term] = {Read(s, ()): value for s, value in self._new.items()}
        if not self._dependence.mentions(second, self._states):
            raise _NoOrder
        for node in walk(second):
            if isinstance(node, Read) and node.value not in self._states:
                raise _NoOrder  # a key asks for more than what is held
        if _plain(source(first)) != _plain(source(substitute(second, by))):
            raise _NoOrder
        key = source(second)
        if key not in self._keys:
            self._keys.append(key)
        self._asked[term] = _Asked(op, self._keys.index(key), second)

    # -- whether it is an order

    def _answered(
        self, condition: Term, answers: Sequence[int] | None, alone: Mapping[Term, Term]
    ) -> Term:
        """Whether the element is taken, where the keys compare so; None where nothing is held."""

        def change(node: Term) -> Term:
            if node in alone:
                return alone[node]
            if node in self._absent:
                return TRUE if answers is None else FALSE
            if node in self._asked and answers is not None:
                asked = self._asked[node]
                return TRUE if answers[asked.order] in _HOLDS[asked.op] else FALSE
            return decided(node) if isinstance(node, Apply) else node

        return transform(condition, change)

    def _decides(
        self, condition: Term, answers: Sequence[int] | None, alone: Mapping[Term, Term]
    ) -> bool:
        found = self._answered(condition, answers, alone)
        if found not in (TRUE, FALSE):
            raise _NoOrder
        return found is TRUE

    def _order(self) -> str:
        """The order by which the element is better, in words."""
        patterns = list(itertools.product((-1, 0, 1), repeat=len(self._keys)))
        orders = []
        for given in itertools.product((TRUE, FALSE), repeat=len(self._alone)):
            alone: dict[Term, Term] = dict(zip(self._alone, given, strict=True))
            told = [[self._decides(one, p, alone) for p in patterns] for one in self._taken]
            wanted = self._agreed(told, patterns)
            takes = any(wanted)
            if self._absent and any(
                self._decides(one, None, alone) != takes for one in self._taken
            ):
                raise _NoOrder
            if takes:
                orders.append(self._named(wanted, patterns))
                self._eligible, self._best = alone, patterns[wanted.index(True)]
        if not orders or any(one != orders[0] for one in orders):
            raise _NoOrder
        return orders[0]

    def _agreed(self, told: list[list[bool]], patterns: list[tuple[int, ...]]) -> list[bool]:
        """When all values are replaced. A key itself may stay where the element's is as large."""
        for number, wanted in enumerate(told):
            if self._chosen not in (None, number):
                continue
            keys = [self._keys.index(c.name) if c.name in self._keys else None
                    for c in self._carries]  # fmt: skip
            if all(
                a == b or (key is not None and p[key] == 0)
                for one, key in zip(told, keys, strict=True)
                for a, b, p in zip(one, wanted, patterns, strict=True)
            ):
                if any(wanted):
                    self._chosen = number
                return wanted
        raise _NoOrder

    def _named(self, wanted: list[bool], patterns: list[tuple[int, ...]]) -> str:
        """The order in words."""
        count = len(self._keys)
        for places in itertools.permutations(range(count)):
            for signs in itertools.product((1, -1), repeat=count):
                for tie in (False, True):
                    by = list(zip(places, signs, strict=True))
                    if wanted == [_first_of([s * p[k] for k, s in by], tie) for p in patterns]:
                        words = (
                            f"{'largest' if s > 0 else 'least'} {self._keys[k]}" for k, s in by
                        )
                        return (
                            f"{', then '.join(words)}, the {'later' if tie else 'earlier'} on a tie"
                        )
        raise _NoOrder

    # -- the part

    def part(self, taken: set[str]) -> Part:
        order = self._order()
        flag = field(free("found", taken), "whether there is an element", FALSE)
        kept = [field(c.name, f"{c.name} of the best of the piece", NONE) for c in self._carries]
        fields: tuple[Field, ...] = (flag, *kept)
        own = [one.left for one in kept]
        new = [self._new[c.state] for c in self._carries]
        held = self._at(dict(zip(self._new, own, strict=True)))
        fits = self._answered(self._taken[self._chosen or 0], self._best, {})
        update = [
            Apply("where", (flag.left, Apply("where", (held, a, b)), _choice(fits, a, NONE)))
            for a, b in zip(new, own, strict=True)
        ]
        better = self._between({c.state: f.right for c, f in zip(self._carries, kept, strict=True)},
                               dict(zip(self._new, own, strict=True)))  # fmt: skip
        combine = [
            Apply("where", (flag.left, Apply("where", (
                flag.right, Apply("where", (better, f.right, f.left)), f.left)), f.right))
            for f in kept
        ]  # fmt: skip
        starts = {c.state: start_of(c) for c in self._carries}
        over = self._between(dict(zip(self._new, own, strict=True)), starts)
        finish = [
            Apply("where", (flag.left, _choice(over, value, start), start))
            for value, start in zip(own, starts.values(), strict=True)
        ]
        return Part(
            tuple(self._new), fields, (_choice(flag.left, TRUE, fits), *update),
            (Apply("or", (flag.left, flag.right)), *combine), tuple(finish), ALGEBRA,
            f"an element takes the place of what is held where it comes first by {order}: the "
            "better of two pieces is told by the same question",
            "exact",
        )  # fmt: skip

    def _at(self, held: Mapping[Value, Term]) -> Term:
        """Whether the element is better than what is held."""
        by: dict[Term, Term] = {Read(state, ()): value for state, value in held.items()}
        return substitute(self._without_none(self._taken[self._chosen or 0]), by)

    def _without_none(self, term: Term) -> Term:
        return transform(term, lambda n: FALSE if n in self._absent else
                         decided(n) if isinstance(n, Apply) else n)  # fmt: skip

    def _between(self, better: Mapping[Value, Term], held: Mapping[Value, Term]) -> Term:
        """Whether what one piece holds is better than what another holds."""
        one: dict[Term, Term] = {Read(state, ()): value for state, value in better.items()}
        other: dict[Term, Term] = {Read(state, ()): value for state, value in held.items()}

        def change(node: Term) -> Term:
            if node in self._eligible:
                return self._eligible[node]
            if node in self._absent and isinstance(node, Apply):
                return decided(Apply("is", (substitute(node.args[0], other), NONE)))
            asked = self._asked.get(node)
            if asked is not None:
                return Apply(asked.op, (substitute(asked.key, one), substitute(asked.key, other)))
            return decided(node) if isinstance(node, Apply) else node

        started = any(not isinstance(v, Read) or v.value in self._states for v in held.values())
        condition = self._taken[self._chosen or 0]
        return transform(condition if started else self._without_none(condition), change)


def _choice(condition: Term, then: Term, other: Term) -> Term:
    return decided(Apply("where", (condition, then, other)))


def _first_of(answers: Sequence[int], tie: bool) -> bool:
    """Is the element before what is held, the first key that differs deciding?"""
    return next((one > 0 for one in answers if one), tie)


def _taken(term: Term, own: Term) -> Term:
    """Where an update puts the element in the place of what is held."""
    if isinstance(term, Apply) and term.op == "where":
        condition, then, other = term.args
        sides = (_taken(then, own), _taken(other, own))
        return decided(Apply("where", (condition, *sides)))
    return FALSE if term is own else TRUE


def _plain(text: str) -> str:
    """A text with parts of what is written out taken: ``(a, b)[0]`` as ``a``."""

    def part(node: ast.AST) -> ast.expr | None:
        if not isinstance(node, ast.Subscript) or not isinstance(node.slice, ast.Constant):
            return None
        at, base = node.slice.value, node.value
        if isinstance(base, (ast.Tuple, ast.List)) and type(at) is int and at < len(base.elts):
            return base.elts[at]
        if isinstance(base, ast.Dict):
            keys = [k.value if isinstance(k, ast.Constant) else None for k in base.keys]
            return base.values[keys.index(at)] if keys.count(at) == 1 else None
        return None

    return ast.unparse(replaced(ast.parse(text, mode="eval"), part))
