"""Finite control: carried values that only ever hold a few constants, as tables.

A step maps each of the constants to another one, depending on the element alone; tables compose.
"""

from __future__ import annotations

from auditor.algebra.states import Dependence
from auditor.notation import (
    FALSE,
    TRUE,
    Apply,
    Carry,
    Const,
    Read,
    Term,
    Value,
    children,
    rebuild,
    transform,
)

MOST_STATES = 16
_COMPARE = {
    "eq": lambda a, b: a == b, "ne": lambda a, b: a != b, "lt": lambda a, b: a < b,
    "le": lambda a, b: a <= b, "gt": lambda a, b: a > b, "ge": lambda a, b: a >= b,
    "is": lambda a, b: a is b,
}  # fmt: skip
_TRUTHS = frozenset((*_COMPARE, "not"))


def settled(term: Term, by: dict[Value, Const]) -> Term:
    """``term`` with constants for some states, and every choice that this decides taken."""

    def change(node: Term) -> Term:
        if isinstance(node, Read):
            return by.get(node.value, node)
        return decided(node) if isinstance(node, Apply) else node

    return transform(term, change)


def decided(node: Apply) -> Term:
    """``node`` with the choice taken that its own arguments decide."""
    op, args = node.op, node.args
    if op == "where":
        if isinstance(args[0], Const):
            return args[1] if args[0].value else args[2]
        return args[1] if args[1] is args[2] else node
    if op == "not" and isinstance(args[0], Const):
        return FALSE if args[0].value else TRUE
    if op in ("and", "or"):
        first = args[0]
        if isinstance(first, Const):
            return args[1] if bool(first.value) == (op == "and") else first
        last = args[1]
        if isinstance(last, Const) and isinstance(last.value, bool) and truth(first):
            return first if last.value == (op == "and") else last
    if op in _COMPARE and all(isinstance(arg, Const) for arg in args):
        a, b = (arg.value for arg in args if isinstance(arg, Const))
        try:
            return TRUE if _COMPARE[op](a, b) else FALSE  # type: ignore[no-untyped-call]
        except TypeError:
            return node
    return node


def truth(term: Term) -> bool:
    """Is ``term`` True or False, rather than something that counts as it?"""
    if isinstance(term, Const):
        return isinstance(term.value, bool)
    if isinstance(term, Read):
        return _asks(term.value)
    if isinstance(term, Apply):
        if term.op in ("and", "or"):
            return all(map(truth, term.args))
        if term.op == "where":
            return all(map(truth, term.args[1:]))
        return term.op in _TRUTHS or (term.op.startswith("call:") and _asks_text(term.op[5:]))
    return False


def _asks(value: Value) -> bool:
    """Is an opaque value True or False?"""
    return value.kind == "input" and not value.name.isidentifier() and _asks_text(value.name)


def _asks_text(text: str) -> bool:
    import ast

    node = ast.parse(text, mode="eval").body
    if isinstance(node, ast.Compare):
        return all(isinstance(op, (ast.In, ast.NotIn, ast.Is, ast.IsNot)) for op in node.ops)
    if isinstance(node, ast.Call):
        called = ast.unparse(node.func)
        method = called.rpartition(".")[2]
        return called in ("isinstance", "bool", "any", "all", "callable", "hasattr") or (
            "." in called and (method.startswith("is") or method in ("startswith", "endswith"))
        )
    return False


def plain_truths(term: Term, flags: set[Value]) -> Term:
    """``term`` with choices between truth values said with and, or and not; ``flags`` are values
    that are True or False."""

    def change(node: Term) -> Term:
        if not isinstance(node, Apply) or node.op != "where":
            return decided(node) if isinstance(node, Apply) else node
        node = decided(node)
        if not isinstance(node, Apply) or node.op != "where":
            return node
        condition, then, other = node.args
        if not _flag(condition, flags):
            return node
        if then is TRUE:
            return condition if other is FALSE else _flagged("or", condition, other, flags, node)
        if other is FALSE:
            return _flagged("and", condition, then, flags, node)
        if then is FALSE and other is TRUE:
            return Apply("not", (condition,))
        if then is FALSE:
            return _flagged("and", Apply("not", (condition,)), other, flags, node)
        if other is TRUE:
            return _flagged("or", Apply("not", (condition,)), then, flags, node)
        return node

    return transform(term, change)


def _flag(term: Term, flags: set[Value]) -> bool:
    if isinstance(term, Read) and term.value in flags:
        return True
    if isinstance(term, Apply) and term.op in ("and", "or"):
        return all(_flag(arg, flags) for arg in term.args)
    return truth(term)


def _flagged(op: str, a: Term, b: Term, flags: set[Value], node: Term) -> Term:
    return Apply(op, (a, b)) if _flag(b, flags) else node


def leaves(term: Term) -> list[Term]:
    """What a tree of choices ends in."""
    if isinstance(term, Apply) and term.op == "where":
        return [*leaves(term.args[1]), *leaves(term.args[2])]
    return [term]


def finite(carries: list[Carry], allowed: set[Value], dependence: Dependence) -> list[Carry]:
    """The carried values that hold constants only, decided by each other, by the element and by
    ``allowed``."""
    states = {carry.state for carry in carries}
    kept = [carry for carry in carries if isinstance(carry.init, Const)
            and not _infinite(carry.init)]  # fmt: skip
    while True:
        mine = {carry.state for carry in kept}
        fine = [
            carry
            for carry in kept
            if dependence.states(carry.update) & states <= mine | allowed
            and _constants(carry, mine)
        ]
        if len(fine) == len(kept):
            return fine
        kept = fine


def _infinite(term: Const) -> bool:
    return isinstance(term.value, float)


def _constants(carry: Carry, mine: set[Value]) -> bool:
    boolean = isinstance(carry.init, Const) and isinstance(carry.init.value, bool)
    for leaf in leaves(carry.update):
        if isinstance(leaf, Const):
            if _infinite(leaf):
                return False
        elif (isinstance(leaf, Read) and leaf.value in mine) or (boolean and _truth_of(leaf, mine)):
            continue
        else:
            return False
    return True


def _truth_of(term: Term, mine: set[Value]) -> bool:
    """A truth value, counting the states as such."""
    if isinstance(term, Read) and term.value in mine:
        return True
    if isinstance(term, Apply) and term.op in ("and", "or"):
        return all(_truth_of(arg, mine) for arg in term.args)
    return truth(term)


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
