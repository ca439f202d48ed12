"""Carried values that are linear in each other modulo one number: remainders are a ring, so that
the steps compose as matrices, and each carried value is the remainder of what the product leaves.

Factors of the carried values have to be whole, or a multiple of the modulus would not stay one.
Where a carried value is only added to, what is added may be any number. Where it is multiplied, the
factors are reduced too, which is right for whole values alone: then the modulus, the start and what
is added have to be whole as well. What is not certainly whole is asked at run time.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from auditor.algebra.choices import leaves
from auditor.algebra.monoid import Field, Part, field, free, renamed
from auditor.algebra.semirings import NotLinear, Row, Semiring, chosen
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
    walk,
)

REMAINDERS = "sums of products modulo a number"
Whole = Callable[[Term], Term]


def modulus_of(updates: Sequence[Term], states: frozenset[Value]) -> Term | None:
    """The one number that the updates are taken modulo, which no step changes."""
    dependence = Dependence()
    found = {
        node.args[1]
        for update in updates
        for node in walk(update)
        if isinstance(node, Apply) and node.op == "mod" and dependence.mentions(node, states)
    }
    if len(found) != 1:
        return None
    (modulus,) = found
    return None if dependence.mentions(modulus, states) else modulus


def linear_modulo(term: Term, states: frozenset[Value], modulus: Term, whole: Whole) -> Row:
    """``term`` as a linear function of the states, up to multiples of ``modulus``. ``whole`` gives
    a factor of a state that is certainly whole back. Both raise ``NotLinear``."""
    dependence = Dependence()

    def row(node: Term) -> Row:
        if not dependence.mentions(node, states):
            return {} if node is ZERO else {None: node}
        if isinstance(node, Read):
            return {node.value: ONE}
        if not isinstance(node, Apply):
            raise NotLinear
        op, args = node.op, node.args
        if op == "mod" and args[1] is modulus:
            return row(args[0])
        if op == "where" and not dependence.mentions(args[0], states):
            one, two = row(args[1]), row(args[2])
            keys = {**one, **two}
            return {k: chosen(args[0], one.get(k, ZERO), two.get(k, ZERO)) for k in keys}
        if op in ("add", "sub", "neg"):
            out: Row = {}
            for place, arg in enumerate(args):
                minus = op == "neg" or (op == "sub" and place)
                for key, value in row(arg).items():
                    value = Apply("neg", (value,)) if minus else value
                    out[key] = Apply("add", (out[key], value)) if key in out else value
            return out
        moving = [arg for arg in args if dependence.mentions(arg, states)]
        if op != "mul" or len(moving) != 1:
            raise NotLinear
        rest = [arg for arg in args if arg is not moving[0]]
        by = rest[0] if len(rest) == 1 else Apply("mul", tuple(rest))
        by = whole(by)
        return {k: by if v is ONE else Apply("mul", (by, v)) for k, v in row(moving[0]).items()}

    return row(term)


def reduced(term: Term, modulus: Term, kept: Callable[[Value], bool]) -> bool:
    """Is the value a remainder already, if the states are of which ``kept`` says so?"""
    for leaf in leaves(term):
        if isinstance(leaf, Const):
            if not _below(leaf, modulus):
                return False
        elif isinstance(leaf, Read):
            if leaf.value.kind != "state" or not kept(leaf.value):
                return False
        elif not (isinstance(leaf, Apply) and leaf.op == "mod" and leaf.args[1] is modulus):
            return False
    return True


def _below(term: Term, modulus: Term) -> bool:
    """Is a number certainly its own remainder?"""
    if not isinstance(term, Const) or not isinstance(term.value, (int, float)):
        return False
    if term.value == 0:
        return True
    known = isinstance(modulus, Const) and isinstance(modulus.value, (int, float))
    return known and 0 <= term.value < modulus.value  # type: ignore[attr-defined]


def asked(factor: Term) -> Term:
    """The factor, asked at run time to be whole where it is not a whole number."""
    if isinstance(factor, Const):
        if not isinstance(factor.value, int):
            raise NotLinear
        return factor
    if isinstance(factor, Apply) and factor.op in ("add", "sub", "mul", "neg"):
        return Apply(factor.op, tuple(map(asked, factor.args)))
    if isinstance(factor, Apply) and factor.op == "where":
        return Apply("where", (factor.args[0], *map(asked, factor.args[1:])))
    if isinstance(factor, Read) and factor.value.name.startswith(("ord(", "len(")):
        return factor
    return Apply("index", (factor,))


class Modular:
    """The ring of a group of carried values, and what turns its part into theirs. In the terms of
    the ring the modulus is ``number``, a value of its own."""

    def __init__(self, carries: Sequence[Carry], modulus: Term) -> None:
        self.carries, self.modulus = carries, modulus
        self.number = Value("modulus", (), kind="state")
        self.scaled = not all(map(self._only_added_to, carries))
        self.ring = Semiring(REMAINDERS, "add", "mul", ZERO, ONE, self._row, self._tidy)

    def _row(self, term: Term, states: frozenset[Value]) -> Row:
        row = linear_modulo(term, states, self.modulus, asked)
        if self.scaled and None in row:
            row[None] = asked(row[None])
        return row

    def _only_added_to(self, carry: Carry) -> bool:
        """Is the value passed on as it is, plus something?"""
        states = frozenset(one.state for one in self.carries)
        try:
            row = linear_modulo(carry.update, states, self.modulus, asked)
        except NotLinear:
            return False
        return row.keys() - {None} == {carry.state} and row[carry.state] is ONE

    def _possible(self, rows: set[Value]) -> bool:
        """Whether the empty piece changes nothing, and numbers that are known are whole where they
        have to be."""
        least = 1 if self.scaled else 0  # 1 % 1 is no factor 1
        if isinstance(self.modulus, Const):
            value = self.modulus.value
            if not isinstance(value, (int, float)) or not value > least:
                return False
            if self.scaled and not isinstance(value, int):
                return False
        starts = [c.init for c in self.carries if c.state in rows and isinstance(c.init, Const)]
        return not self.scaled or all(isinstance(start.value, int) for start in starts)

    def _tidy(self, term: Term) -> Term:
        if isinstance(term, (Const, Read)):
            return term
        if isinstance(term, Apply) and term.op == "where":
            return Apply("where", (term.args[0], *map(self._tidy, term.args[1:])))
        return Apply("mod", (term, Read(self.number, ())))

    def _loose(self, rows: set[Value]) -> set[Value] | None:
        """The states that may begin as no remainder; None where one of them may outlive a step."""
        loose = {c.state for c in self.carries if not _below(c.init, self.modulus)}
        for carry in self.carries:
            if carry.state in rows and not reduced(
                carry.update, self.modulus, lambda state: state in rows and state not in loose
            ):
                return None
        return loose & rows

    def back(self, part: Part, rows: set[Value], taken: set[str]) -> Part | None:
        """The part with the modulus itself in its place."""
        loose = self._loose(rows)
        if loose is None or not self._possible(rows):
            return None
        known = isinstance(self.modulus, Const)
        extra: list[Field] = []
        if not known:
            extra.append(field(free("modulus", taken), "what remainders are taken by", NONE))
        elif loose:
            extra.append(field(free("seen", taken), "was there an element?", FALSE))
        here = {self.number: self.modulus}
        begin: dict[Value, Term] = {}
        if self.scaled:
            begin = {state: Apply("index", (Read(state, ()),)) for state in rows}
        there = here if known else {self.number: extra[0].left}
        any_yet: Term = ONE
        if extra:
            any_yet = extra[0].left
            if not known:
                any_yet = Apply("not", (Apply("is", (any_yet, NONE)),))
        begun = {c.state: c for c in self.carries}
        finish = []
        for state, term in zip(part.carries, part.finish, strict=True):
            term = renamed(term, here | begin)
            if isinstance(term, Const) and state in rows and not _below(term, self.modulus):
                term = Apply("mod", (term, self.modulus))
            if extra and state in rows:
                start = begun[state].init
                start = start if isinstance(start, Const) else Read(state, ())
                term = Apply("where", (any_yet, term, start))
            finish.append(term)
        shown = self.modulus.value if isinstance(self.modulus, Const) else str(self.modulus)
        combined = [renamed(term, there) for term in part.combine]
        by = Apply("index", (self.modulus,)) if self.scaled else self.modulus
        added = [by if not known else TRUE for _ in extra]
        joined = [one.left if not known else Apply("or", (one.left, one.right)) for one in extra]
        ring = "remainders are a ring" + ", where the elements are whole" * self.scaled
        return replace(
            part,
            fields=(*part.fields, *extra),
            update=(*(renamed(term, here) for term in part.update), *added),
            combine=(*combined, *joined),
            finish=tuple(finish),
            algebra=f"{part.algebra} modulo {shown}",
            proof=f"modulo {shown}, {part.proof}; {ring}",
            numerics="exact" if self.scaled else "reassociated",
            guarded=part.guarded or not known,
            commutes=part.commutes and known and not extra,
        )
