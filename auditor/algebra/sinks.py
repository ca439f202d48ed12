"""Carried values that several others need, which do not need each other: each of these with what it
needs is a loop of its own. A flag that asks for several things is so many flags, an extreme of
several so many extremes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import reduce

from auditor.algebra.choices import plain_truths
from auditor.algebra.monoid import Field, Part, field, free, grade, renamed
from auditor.algebra.signs import pushed
from auditor.algebra.states import Dependence
from auditor.notation import FALSE, TRUE, Apply, Carry, Read, Term, Value


@dataclass(frozen=True, eq=False)
class Split:
    """Carried values of which some are several instead, by the one that was: the operation that
    puts them together, and their states."""

    carries: list[Carry]
    whole: dict[Value, tuple[str, list[Value]]]

    def back(self, part: Part) -> Part:
        """The part with the values as they were."""
        by = dict(zip(part.carries, part.finish, strict=True))
        for state, (op, states) in self.whole.items():
            starts: dict[Value, Term] = dict.fromkeys(states, Read(state, ()))
            by[state] = _joined(op, [renamed(by.pop(one), starts) for one in states])
        return replace(part, carries=tuple(by), finish=tuple(by.values()))


def split(carries: Sequence[Carry], dependence: Dependence, taken: set[str]) -> Split:
    """Each flag that falls, or rises, for several reasons as a flag for each, and each extreme of
    several values as one of each. ``taken`` are names that these may not have."""
    states = {carry.state for carry in carries}
    made: list[Carry] = []
    whole: dict[Value, tuple[str, list[Value]]] = {}
    for carry in carries:
        read = any(dependence.mentions(c.update, (carry.state,)) for c in carries if c is not carry)
        found = None if read else _put_together(carry)
        if found is not None and any(dependence.mentions(t, (carry.state,)) for t in found[1]):
            found = None  # what it is put together with is counted from all of it
        asking = [t for t in found[1] if dependence.mentions(t, states)] if found else []
        if found is None or len(asking) < 2:
            made.append(carry)
            continue
        op, terms = found
        rest = [term for term in terms if term not in asking]
        asking[-1] = _joined(op, [*rest, asking[-1]])
        names = [free(f"{carry.name}_{n}", taken) for n in range(1, len(asking) + 1)]
        own = [Value(name, (), kind="state") for name in names]
        made += [
            Carry(state.name, state, carry.init, Apply(op, (Read(state, ()), term)))
            for state, term in zip(own, asking, strict=True)
        ]
        whole[carry.state] = (op, own)
    return Split(made, whole)


def _joined(op: str, terms: list[Term]) -> Term:
    return reduce(lambda a, b: Apply(op, (a, b)), terms)


def _put_together(carry: Carry) -> tuple[str, list[Term]] | None:
    """The operation, and with what, where a value is nothing but put together with something."""
    update, own = carry.update, Read(carry.state, ())
    op = "and" if carry.init is TRUE else "or" if carry.init is FALSE else ""
    if op:
        update = plain_truths(update, {carry.state})
    elif isinstance(update, Apply) and update.op in ("max", "min"):
        op = update.op
    terms = _flat(update, op)
    return (op, [term for term in terms if term is not own]) if own in terms else None


def _flat(term: Term, op: str) -> list[Term]:
    """What an operation puts together in a term."""
    if not isinstance(term, Apply):
        return [term]
    if term.op == op:
        return [part for arg in term.args for part in _flat(arg, op)]
    if term.op == "abs" and op == "max":
        return [term.args[0], pushed(Apply("neg", term.args))]
    inner = term.args[0] if term.op == "not" else None
    other = {"and": "or", "or": "and"}.get(op)
    if isinstance(inner, Apply) and inner.op == other:
        return [part for arg in inner.args for part in _flat(Apply("not", (arg,)), op)]
    if isinstance(inner, Apply) and inner.op == "not":
        return _flat(inner.args[0], op)
    return [term]


def by_sinks(
    carries: Sequence[Carry],
    dependence: Dependence,
    part_of: Callable[[list[Carry]], Part | None],
) -> Part | None:
    """The part of several carried values that no other needs, each with all that it needs."""
    read = {c.state: dependence.states(c.update) - {c.state} for c in carries}
    sinks = [c for c in carries if not any(c.state in needed for needed in read.values())]
    if len(sinks) < 2:
        return None
    found: list[Part] = []
    for sink in sinks:
        needed, waiting = {sink.state}, [sink.state]
        while waiting:
            more = (read[waiting.pop()] & read.keys()) - needed
            needed |= more
            waiting += more
        part = part_of([c for c in carries if c.state in needed])
        if part is None or part.guarded:
            return None
        found.append(part)
    return reduce(beside, found)


def beside(one: Part, other: Part) -> Part:
    """Two parts as one; components that both have are there once."""
    taken = {f.name for f in one.fields}
    by: dict[Value, Term] = {}
    own: list[tuple[Field, Term, Term]] = []
    for f, update, combine in zip(other.fields, other.update, other.combine, strict=True):
        same = _same(f, renamed(update, by), renamed(combine, by), one)
        kept = same or field(free(f.name, taken), f.meaning, f.identity)
        by |= {f.own: kept.left, f.other: kept.right}
        if same is None:
            own.append((kept, update, combine))
    carries = dict(zip(one.carries, one.finish, strict=True))
    for state, term in zip(other.carries, other.finish, strict=True):
        carries.setdefault(state, renamed(term, by))
    combined = (*one.combine, *(renamed(c, by) for _, _, c in own))
    return Part(
        tuple(carries),
        (*one.fields, *(f for f, _, _ in own)),
        (*one.update, *(renamed(u, by) for _, u, _ in own)),
        combined,
        tuple(carries.values()),
        "; ".join(dict.fromkeys((one.algebra, other.algebra))),
        "; ".join(dict.fromkeys((one.proof, other.proof))),
        grade(combined),
        commutes=one.commutes and other.commutes,
    )


def _same(own: Field, update: Term, combine: Term, part: Part) -> Field | None:
    """The component of a part that is begun, updated and combined in the same way."""
    for f, u, c in zip(part.fields, part.update, part.combine, strict=True):
        by: dict[Value, Term] = {own.own: f.left, own.other: f.right}
        if f.identity is own.identity and renamed(update, by) is u and renamed(combine, by) is c:
            return f
    return None
