"""The best element so far with values kept from where it was: the better of two pieces decides.

The step is followed three times: where the element is better than what is held, where it is as
good, and where it is worse. The key may be counted from a running sum of the same loop, as the
largest prefix sum is; on a tie each kept value stays, is replaced, or counts on.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from auditor.algebra.choices import settled
from auditor.algebra.monoid import Field, Part, field, renamed, start_of
from auditor.algebra.semirings import SUMS, NotLinear, linear, same_number
from auditor.algebra.states import Dependence
from auditor.notation import (
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
    walk,
)

Tie = Literal["earlier", "later", "both", "joined"]
_ORDERS = {
    "lt": lambda a, b: a < b, "le": lambda a, b: a <= b, "gt": lambda a, b: a > b,
    "ge": lambda a, b: a >= b, "eq": lambda a, b: a == b, "ne": lambda a, b: a != b,
}  # fmt: skip


def best(carries: list[Carry], dependence: Dependence) -> Part | None:
    """A running extreme with values kept from where it was reached."""
    counters = [carry for carry in carries if _counts(carry, dependence)]
    kept = [carry for carry in carries if carry not in counters]
    for key in kept:
        for element in _compared(key, carries, counters, dependence):
            for wanted in ("max", "min"):
                follows = _Follower(key, element, wanted, dependence, carries)
                found = _kept(follows, kept, counters)
                if found is not None:
                    return _Best(follows, found, counters).part()
    return None


def _counts(carry: Carry, dependence: Dependence) -> bool:
    """A carried value to which each step adds what depends on the element alone."""
    try:
        row = linear(carry.update, [carry.state], SUMS)
    except NotLinear:
        return False
    own = row.get(carry.state)
    alone = len(dependence.states(carry.update)) == 1
    return own is not None and same_number(own, ONE) and alone


def _compared(
    key: Carry, carries: list[Carry], counters: list[Carry], dependence: Dependence
) -> Iterator[Term]:
    """What the key is compared with: of the element, or counted from one counter."""
    states = {carry.state for carry in carries}
    seen: set[Term] = set()
    for carry in carries:
        for node in walk(carry.update):
            if not isinstance(node, Apply) or node.op not in ("lt", "le", "gt", "ge", "max", "min"):
                continue
            others = [arg for arg in node.args if arg is not _read(key)]
            if len(others) != 1 or len(node.args) != 2 or others[0] in seen:
                continue
            seen.add(others[0])
            inside = dependence.states(others[0]) & states
            alone = len(carries) - len(counters) == 1  # linear over maxima too
            if not inside or (not alone and _counter(others[0], inside, counters) is not None):
                yield others[0]


def _counter(
    term: Term, inside: set[Value] | frozenset[Value], counters: list[Carry]
) -> Carry | None:
    """The counter that a term adds something to."""
    counter = next((c for c in counters if inside == {c.state}), None)
    if counter is None:
        return None
    try:
        row = linear(term, [counter.state], SUMS)
    except NotLinear:
        return None
    return counter if same_number(row.get(counter.state, ZERO), ONE) else None


@dataclass(frozen=True)
class _Follower:
    """A step followed where the element compares with the key in one way."""

    key: Carry
    element: Term
    wanted: str
    dependence: Dependence
    carries: list[Carry]

    def term(self, carry: Carry, outcome: int, none: bool = False) -> Term:
        """The carried value where the element is better (1), as good (0) or worse (-1)."""
        mine = _read(self.key)
        sign = outcome if self.wanted == "max" else -outcome

        def change(node: Term) -> Term:
            if not isinstance(node, Apply):
                return node
            if node is Apply("is", (mine, NONE)):
                return Const(none)
            if len(node.args) != 2 or set(node.args) != {mine, self.element}:
                return node
            if node.op in _ORDERS:
                a, b = (0, sign) if node.args[0] is mine else (sign, 0)
                return Const(bool(_ORDERS[node.op](a, b)))
            if node.op in ("max", "min"):
                return self.element if (sign > 0) == (node.op == "max") and sign else mine
            return node

        return settled(transform(carry.update, change), {})

    def asks_for_none(self, carry: Carry) -> bool:
        question = Apply("is", (_read(self.key), NONE))
        return any(node is question for node in walk(carry.update))


@dataclass(frozen=True)
class _Kept:
    """What a carried value becomes where the element is better, counted from ``counter``, and
    what a tie does. ``condition`` says whether the element is looked at."""

    carry: Carry
    taken: Term
    tie: Tie
    counter: Carry | None
    condition: Term


def _kept(follows: _Follower, kept: list[Carry], counters: list[Carry]) -> list[_Kept] | None:
    """How each of the values follows the key, the key first; None where one does not."""
    found = []
    ordered = [follows.key, *(carry for carry in kept if carry is not follows.key)]
    for carry in ordered:
        one = _follows(follows, carry, counters)
        if one is None:
            return None
        found.append(one)
    if found[0].taken is not follows.element or found[0].tie in _EVERY:
        return None
    return found if len({one.condition for one in found}) == 1 else None


def _follows(follows: _Follower, carry: Carry, counters: list[Carry]) -> _Kept | None:
    mine = _read(carry)
    if follows.term(carry, -1) is not mine:
        return None
    better, equal = (follows.term(carry, outcome) for outcome in (1, 0))
    if follows.asks_for_none(carry):
        if any(follows.term(carry, sign, none=True) is not better for sign in (-1, 0, 1)):
            return None
    states = {c.state for c in follows.carries}
    condition, taken = _asked(better, mine, states, follows.dependence)
    if better is taken:
        better = taken = _joined_to_nothing(taken)
    inside = follows.dependence.states(taken) & states
    counter = _counter(taken, inside, counters)
    if inside and counter is None:
        return None
    tie = _tie(equal, better, mine, taken, condition, counter)
    return None if tie is None else _Kept(carry, taken, tie, counter, condition)


def _asked(term: Term, mine: Term, states: set[Value], dependence: Dependence) -> tuple[Term, Term]:
    """Whether the element is looked at at all, and the term if it is."""
    if isinstance(term, Apply) and term.op == "where":
        test, then, other = term.args
        if not dependence.mentions(test, states):
            if other is mine:
                return test, then
            if then is mine:
                return Apply("not", (test,)), other
    return TRUE, term


def _joined_to_nothing(term: Term) -> Term:
    """A list that is put behind an empty one, as that list."""
    if isinstance(term, Apply) and term.op == "concat":
        first, second = term.args
        if isinstance(first, Read) and first.value.name == "[]":
            return second
    return term


def _tie(
    equal: Term, better: Term, mine: Term, taken: Term, condition: Term, counter: Carry | None
) -> Tie | None:
    if equal is mine:
        return "earlier"
    if equal is better:
        return "later"
    if isinstance(equal, Apply) and equal.op == "where" and condition is not TRUE:
        test, then, other = equal.args
        equal = then if test is condition and other is mine else equal
    counted = isinstance(equal, Apply) and equal.op == "add" and counter is None
    if counted and set(equal.args) == {mine, taken}:  # type: ignore[attr-defined]
        return "both"
    listed = isinstance(taken, Read) and taken.value.name.startswith("[")
    if listed and counter is None and equal is Apply("concat", (mine, taken)):
        return "joined"
    return None


@dataclass(frozen=True)
class _Best:
    """The part of a key with the values that follow it."""

    follows: _Follower
    kept: Sequence[_Kept]
    counters: list[Carry]

    def part(self) -> Part:
        key, wanted = self.follows.key, self.follows.wanted
        fields = {one.carry.state: self._field(one) for one in self.kept}
        for counter in self.counters:
            what = f"what the piece adds to {counter.name}"
            fields[counter.state] = field(counter.name, what, ZERO)
        update = [self._updated(one, fields) for one in self.kept]
        combine = [self._combined(one, fields) for one in self.kept]
        finish = [self._finished(one, fields) for one in self.kept]
        for counter in self.counters:
            f = fields[counter.state]
            update.append(renamed(counter.update, {counter.state: f.left}))
            combine.append(Apply("add", (f.left, f.right)))
            finish.append(SUMS.add(start_of(counter), f.left))
        ties = " and ".join(dict.fromkeys(_WORDS[one.tie] for one in self.kept[1:] or self.kept))
        others = ", ".join(one.carry.name for one in self.kept[1:])
        with_them = f" with {others} from where it was" if others else ""
        return Part(
            tuple(c.state for c in (*(one.carry for one in self.kept), *self.counters)),
            tuple(fields.values()), tuple(update), tuple(combine), tuple(finish),
            f"the {wanted}imum by {key.name}, {ties} on a tie",
            f"each step keeps the better of two by {key.name}{with_them}, {ties} one on a tie: an "
            "order, and keeping the better is associative",
            "reassociated" if self.kept[0].counter is not None else "exact",
        )  # fmt: skip

    def _field(self, one: _Kept) -> Field:
        key, carry = self.follows.key, one.carry
        meaning = f"the {self.follows.wanted} of the piece"
        if carry is not key:
            meaning = f"{carry.name} where it was"
        if one.tie in _EVERY:
            meaning = f"{carry.name} of all the places where it was"
        if one.counter is not None:
            meaning += ", counted from the piece's start"
        return field(carry.name, meaning, NONE)

    def _chosen(self, one: _Kept, old: Term, new: Term, held: Term, taken: Term,
                empty: Term | None) -> Term:  # fmt: skip
        """``taken`` where the key ``new`` is better than ``old``, else ``held``; ``empty`` says
        that there is no old one."""
        op = "le" if one.tie == "later" else "lt"
        wins: Term = Apply(op, (old, new) if self.follows.wanted == "max" else (new, old))
        if empty is not None:
            wins = Apply("or", (empty, wins))
        if one.tie in _EVERY:
            joined = Apply("concat", (held, taken))
            counted = joined if one.tie == "joined" else SUMS.add(held, taken)
            held = Apply("where", (Apply("eq", (old, new)), counted, held))
        return Apply("where", (wins, taken, held))

    def _updated(self, one: _Kept, fields: dict[Value, Field]) -> Term:
        f, key = fields[one.carry.state], fields[self.follows.key.state]
        by = {state: other.left for state, other in fields.items()}
        new, taken = renamed(self.follows.element, by), renamed(one.taken, by)
        step = self._chosen(one, key.left, new, f.left, taken, Apply("is", (key.left, NONE)))
        return step if one.condition is TRUE else Apply("where", (one.condition, step, f.left))

    def _moved(self, one: _Kept, right: Term, by: dict[Value, Term]) -> Term:
        return right if one.counter is None else SUMS.add(by[one.counter.state], right)

    def _combined(self, one: _Kept, fields: dict[Value, Field]) -> Term:
        f, key = fields[one.carry.state], fields[self.follows.key.state]
        by = {counter.state: fields[counter.state].left for counter in self.counters}
        new = self._moved(self.kept[0], key.right, by)
        taken = self._moved(one, f.right, by)
        step = self._chosen(one, key.left, new, f.left, taken, Apply("is", (key.left, NONE)))
        return Apply("where", (Apply("is", (key.right, NONE)), f.left, step))

    def _finished(self, one: _Kept, fields: dict[Value, Field]) -> Term:
        f, key = fields[one.carry.state], fields[self.follows.key.state]
        by = {counter.state: start_of(counter) for counter in self.counters}
        new, taken = self._moved(self.kept[0], key.left, by), self._moved(one, f.left, by)
        start, held = start_of(self.follows.key), start_of(one.carry)
        if start is NONE:
            return Apply("where", (Apply("is", (key.left, NONE)), held, taken))
        empty = None
        if not isinstance(start, Const) and self.follows.asks_for_none(self.follows.key):
            empty = Apply("is", (start, NONE))
        step = self._chosen(one, start, new, held, taken, empty)
        return Apply("where", (Apply("is", (key.left, NONE)), held, step))


_EVERY = ("both", "joined")
_WORDS = {
    "earlier": "the earlier", "later": "the later", "both": "every", "joined": "every",
}  # fmt: skip


def _read(carry: Carry) -> Term:
    return Read(carry.state, ())
