"""Carried values that begin as None: a number and a flag that says whether there is one."""

from __future__ import annotations

from dataclasses import dataclass, replace

from auditor.algebra.choices import plain_truths, settled
from auditor.algebra.monoid import Monoid, Part
from auditor.derive.fold import ANSWER, Fold
from auditor.notation import (
    FALSE,
    NONE,
    TRUE,
    ZERO,
    Apply,
    Carry,
    Read,
    Scan,
    Term,
    Value,
    transform,
)


@dataclass(frozen=True, eq=False)
class Given:
    """A fold with flags for what may be None, by the value that they are of."""

    fold: Fold
    flags: dict[Value, Value]

    def restored(self, monoid: Monoid) -> Monoid:
        """The monoid with None where a flag says so."""
        finish, flags = monoid.finish, set(self.flags.values())
        there = {flag: finish[flag] for flag in flags if flag in finish}
        return Monoid(tuple(self._part(part, there) for part in monoid.parts))

    def _part(self, part: Part, there: dict[Value, Term]) -> Part:
        by = dict(zip(part.carries, part.finish, strict=True))
        for flag in there:
            by.pop(flag, None)
        for state, flag in self.flags.items():
            if state in by and flag in there:
                by[state] = Apply("where", (there[flag], by[state], NONE))
        return replace(part, carries=tuple(by), finish=tuple(by.values()))


def given(fold: Fold) -> Given | None:
    """The fold with a flag for each carried value that begins as None, if there is any."""
    carries = fold.scan.carries
    open_ = [c for c in carries if c.init is NONE and c.name != ANSWER]
    taken = {c.name for c in carries}
    held = fold.keyed is not None and not (fold.keyed.fresh and fold.keyed.record is None)
    if not open_ or held or any(f"{c.name}_given" in taken for c in open_):
        return None
    flags = {c.state: Value(f"{c.name}_given", (), kind="state") for c in open_}
    flags = _together(open_, flags)
    supposed: list[str] = []
    made: list[Carry] = []
    for carry in carries:
        update = _asking(carry.update, flags)
        if carry.state not in flags:
            made.append(replace(carry, update=update))
            continue
        flag = flags[carry.state]
        there = _by_case(_there(update, flags, supposed), flag)
        value = _by_case(_value(update, carry), flag)
        made.append(Carry(carry.name, carry.state, ZERO, value))
        if all(one.state is not flag for one in made):
            made.append(Carry(flag.name, flag, FALSE, there))
    scan = Scan(fold.scan.step)
    scan.carries = tuple(made)
    assumptions = tuple(dict.fromkeys((*fold.assumptions, *supposed)))
    return Given(replace(fold, scan=scan, assumptions=assumptions), flags)


def _together(carries: list[Carry], flags: dict[Value, Value]) -> dict[Value, Value]:
    """One flag for all, where they are given at the same steps: they begin alike, and what is alike
    stays so."""
    first = flags[carries[0].state]
    one = dict.fromkeys(flags, first)
    there = {_by_case(_there(_asking(c.update, one), one, []), first) for c in carries}
    return one if len(there) == 1 else flags


def _asking(term: Term, flags: dict[Value, Value]) -> Term:
    """``term`` with the flags in the place of the questions."""

    def change(node: Term) -> Term:
        if isinstance(node, Apply) and node.op == "is" and node.args[1] is NONE:
            asked = node.args[0]
            if isinstance(asked, Read) and asked.value in flags:
                return Apply("not", (Read(flags[asked.value], ()),))
        return node

    return transform(term, change)


def _by_case(term: Term, flag: Value) -> Term:
    """``term`` as a choice by the flag alone: what is asked beside it is then asked by itself."""
    own = Read(flag, ())

    def where(answer: Term) -> Term:
        return plain_truths(transform(term, lambda node: answer if node is own else node), {flag})

    return settled(Apply("where", (own, where(TRUE), where(FALSE))), {})


def _there(term: Term, flags: dict[Value, Value], supposed: list[str]) -> Term:
    """Is a value there? What a step computes is; what it takes is supposed to be."""
    if term is NONE:
        return FALSE
    if isinstance(term, Apply) and term.op == "where":
        condition, then, other = term.args
        sides = (_there(then, flags, supposed), _there(other, flags, supposed))
        return Apply("where", (condition, *sides))
    if isinstance(term, Read):
        if term.value in flags:
            return Read(flags[term.value], ())
        if term.value.kind == "input":
            supposed.append(f"`{term.value.name}` is not None")
    return TRUE


def _value(term: Term, carry: Carry) -> Term:
    """The value where there is one; where there is none, any."""
    if term is NONE:
        return Read(carry.state, ())
    if isinstance(term, Apply) and term.op == "where":
        condition, then, other = term.args
        return Apply("where", (condition, _value(then, carry), _value(other, carry)))
    return term
