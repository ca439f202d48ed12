"""Finite control: carried values that can only take a few known values, as tables.

The values are found by running the update on those that are known until nothing is new; then a
step maps each of them to another one, depending on the element alone, and tables compose.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence

from auditor.algebra.choices import decided, leaves, settled, truth
from auditor.algebra.states import Dependence, stages
from auditor.notation import (
    FALSE,
    ONE,
    TRUE,
    Apply,
    Carry,
    Const,
    Index,
    Scan,
    Term,
    Value,
    children,
    rebuild,
    transform,
    walk,
)

MOST_VALUES = 8
MOST_ROWS = 16
MOST_STATES = 16


def values_of(
    carries: Sequence[Carry], updates: Sequence[Term], dependence: Dependence
) -> dict[Value, tuple[Const, ...]] | None:
    """The values that each of the carries can take, or None if they are not a few known ones."""
    states = [carry.state for carry in carries]
    if any(state.axes for state in states) or any(_unknown(u, states, dependence) for u in updates):
        return None
    found: dict[Value, list[Const]] = {}
    for carry in carries:
        if carry.state.dtype == "bool":
            found[carry.state] = [FALSE, TRUE]
        else:
            start = decided(carry.init) if isinstance(carry.init, Apply) else carry.init
            if not isinstance(start, Const) or start.value is None:
                return None
            found[carry.state] = [start]
    growing = True
    while growing:
        growing = False
        for row in itertools.product(*(tuple(found[state]) for state in states)):
            given = dict(zip(states, row, strict=True))
            for carry, update in zip(carries, updates, strict=True):
                known = found[carry.state]
                for value in leaves(settled(update, given)):
                    if not isinstance(value, Const) and carry.state.dtype != "bool":
                        if not truth(value):
                            return None
                        news = [v for v in (FALSE, TRUE) if v not in known]
                    else:
                        news = [value] if isinstance(value, Const) and value not in known else []
                    if news:
                        known.extend(news)
                        growing = True
        size = 1
        for state in states:
            size *= len(found[state])
            if len(found[state]) > MOST_VALUES:
                return None
        if size > MOST_ROWS:
            return None
    if any(dependence.mentions(settled(u, dict(zip(states, row, strict=True))), states)
           for row in itertools.product(*(found[s] for s in states)) for u in updates):  # fmt: skip
        return None
    return {state: tuple(values) for state, values in found.items()}


def _unknown(term: Term, states: Sequence[Value], dependence: Dependence) -> bool:
    """Does it call what is not known, which may depend on more than it is shown with?"""
    return any(
        isinstance(node, Apply)
        and node.op.startswith("call:value ")
        and dependence.mentions(node, states)
        for node in walk(term)
    )


def valuations(values: Mapping[Value, tuple[Const, ...]]) -> list[dict[Value, Const]]:
    """Every combination, the initial one among them."""
    states = list(values)
    rows = itertools.product(*values.values())
    return [dict(zip(states, row, strict=True)) for row in rows]


def finite(carries: list[Carry], allowed: set[Value], dependence: Dependence) -> list[Carry]:
    """The carried values that take a few constants only, decided by each other, by the element and
    by ``allowed``."""
    group = Scan(Index("t", ONE))
    group.carries = tuple(carries)
    states = {carry.state for carry in carries}
    chosen: list[Carry] = []
    for stage in stages(group, dependence):
        part = [*chosen, *(carries[slot] for slot in stage)]
        known = {carry.state for carry in part} | allowed
        if all(dependence.states(c.update) & states <= known for c in part) and _tabled(part):
            chosen = part
    return [carry for carry in carries if carry in chosen]


def _tabled(carries: list[Carry]) -> bool:
    if not all(isinstance(c.init, Const) and not isinstance(c.init.value, float) for c in carries):
        return False
    try:
        Control(carries)
    except TooMany:
        return False
    return True


class Control:
    """The joint states of some finite carries that can be reached, and their tables."""

    def __init__(self, carries: list[Carry]) -> None:
        self.carries = carries
        start = tuple(carry.init for carry in carries)
        assert all(isinstance(value, Const) for value in start)
        self.states: list[tuple[Const, ...]] = [start]  # type: ignore[list-item]
        self.tables: list[Term] = []
        for state in self.states:  # grows while it is walked
            table = self._table(state)
            for leaf in _paths(table):
                if any(isinstance(value.value, float) for value in leaf):
                    raise TooMany
                if leaf not in self.states:
                    self.states.append(leaf)
                if len(self.states) > MOST_STATES:
                    raise TooMany
            self.tables.append(self._coded(table))

    def given(self, number: int) -> dict[Value, Const]:
        """The carries' constants in a joint state."""
        return dict(zip((c.state for c in self.carries), self.states[number], strict=True))

    def code(self, number: int) -> Const:
        """How a joint state is written: a single carry's own constant, else its number."""
        return self.states[number][0] if len(self.carries) == 1 else Const(number)

    def decode(self, code: Term, slot: int) -> Term:
        """The constant of one carry, from the code of a joint state."""
        if len(self.carries) == 1:
            return code
        return select(code, [(self.code(n), s[slot]) for n, s in enumerate(self.states)])

    def _table(self, state: tuple[Const, ...]) -> tuple[Term, ...] | Apply:
        given = dict(zip((carry.state for carry in self.carries), state, strict=True))
        updates = []
        for carry in self.carries:
            update = settled(carry.update, given)
            updates.append(update if not truth(update) else _as_choice(update))
        return _joint(updates)

    def _coded(self, table: tuple[Term, ...] | Apply) -> Term:
        if isinstance(table, tuple):
            return self.code(self.states.index(table))  # type: ignore[arg-type]
        condition, then, other = table.args
        a, b = self._coded(_unpacked(then)), self._coded(_unpacked(other))
        return a if a is b else Apply("where", (condition, a, b))


class TooMany(Exception):
    """More joint states than a table is worth."""


_PACK = "joint"


def _joint(updates: list[Term]) -> tuple[Term, ...] | Apply:
    """One tree of choices for several: its leaves are all their constants."""
    for place, update in enumerate(updates):
        if isinstance(update, Const):
            continue
        if not isinstance(update, Apply) or update.op != "where":
            raise TooMany
        condition, then, other = update.args
        sides = []
        for choice, held in ((then, TRUE), (other, FALSE)):
            rest = [_assumed(u, condition, held) for u in updates]
            rest[place] = _assumed(choice, condition, held)
            sides.append(_packed(_joint(rest)))
        if sides[0] is sides[1]:
            return _unpacked(sides[0])
        return Apply("where", (condition, *sides))
    return tuple(updates)


def _assumed(term: Term, condition: Term, held: Const) -> Term:
    """``term`` where ``condition`` is known; what merely counts as true is no truth value."""
    everywhere = truth(condition)

    def change(node: Term) -> Term:
        if node is condition and everywhere:
            return held
        if isinstance(node, Apply) and node.op == "where" and node.args[0] is condition:
            return node.args[1] if held is TRUE else node.args[2]
        return decided(node) if isinstance(node, Apply) else node

    return transform(term, change)


def _packed(table: tuple[Term, ...] | Apply) -> Term:
    return Apply(_PACK, table) if isinstance(table, tuple) else table


def _unpacked(term: Term) -> tuple[Term, ...] | Apply:
    assert isinstance(term, Apply)
    return term.args if term.op == _PACK else term


def _paths(table: tuple[Term, ...] | Apply) -> list[tuple[Const, ...]]:
    if isinstance(table, tuple):
        return [table]  # type: ignore[list-item]
    return [leaf for side in table.args[1:] for leaf in _paths(_unpacked(side))]


def _as_choice(term: Term) -> Term:
    """A truth value as a choice between True and False."""
    if isinstance(term, Const):
        return term
    if isinstance(term, Apply) and term.op == "where":
        return rebuild(term, (term.args[0], *map(_as_choice, children(term)[1:])))
    return Apply("where", (term, TRUE, FALSE))


def select(code: Term, table: list[tuple[Const, Term]]) -> Term:
    """The entry of a table that ``code`` names."""
    if isinstance(code, Const):
        return next(entry for key, entry in table if key is code)
    if all(entry is table[0][1] for _, entry in table):
        return table[0][1]
    if len(table) == 2 and {key for key, _ in table} == {TRUE, FALSE}:
        by = dict(table)
        if by[TRUE] is TRUE and by[FALSE] is FALSE:
            return code
        return Apply("where", (code, by[TRUE], by[FALSE]))
    out = table[-1][1]
    for key, entry in reversed(table[:-1]):
        if entry is not out:
            out = Apply("where", (Apply("eq", (code, key)), entry, out))
    return out
