"""Carried values that keep count beside others: what a clamp spills, what a stock falls short by.

Some of the carried values are a monoid by themselves, whatever the others do. If there is a
function of all of them to which each step adds what depends on the element alone (spilled + level
grows by what comes in, whether it spills or not), the sum of that is kept beside their summary,
and the others follow from both after the last step.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from auditor.algebra.lifting import lifted
from auditor.algebra.limits import CannotEvaluate, CannotSpell, TooLarge
from auditor.algebra.monoid import Part, field, renamed, start_of
from auditor.algebra.paths import Unresolved
from auditor.algebra.semirings import SUMS, negated
from auditor.algebra.states import Dependence
from auditor.algebra.summary import Summary
from auditor.notation import ONE, ZERO, Apply, Carry, Const, Read, Term, Value
from auditor.writing.readable import readable


def base_of(carries: Sequence[Carry], dependence: Dependence) -> frozenset[int]:
    """The places of the carried values that others read; none where these read others in turn."""
    states = {carry.state: place for place, carry in enumerate(carries)}
    reads = [
        {states[s] for s in dependence.states(c.update) if s in states} - {n}
        for n, c in enumerate(carries)
    ]
    base = frozenset().union(*reads)
    closed = all(reads[place] <= base for place in base)
    return base if closed and len(base) < len(carries) else frozenset()


def coordinates_over(
    slots: tuple[int, ...], carries: tuple[Carry, ...], updates: tuple[Term, ...],
    base: frozenset[int],
) -> Summary | None:  # fmt: skip
    """What the others are by the ones that are known, as coordinates that a step adds to."""
    try:
        found = lifted(slots, carries, updates, base)
    except (TooLarge, Unresolved, CannotSpell, CannotEvaluate):
        return None
    return found if found is not None and found.domain == "lifted" else None


def counted(
    carries: list[Carry],
    dependence: Dependence,
    summary: Callable[[list[Carry]], Part | None],
) -> Part | None:
    """The summary of values that keep count beside those that have a ``summary`` of their own."""
    base = base_of(carries, dependence)
    if not base:
        return None
    under = [carry for place, carry in enumerate(carries) if place in base]
    slots = tuple(range(len(carries)))
    found = coordinates_over(slots, tuple(carries), tuple(c.update for c in carries), base)
    part = None if found is None else summary(under)
    if found is None or part is None or part.guarded:
        return None
    fields, update, combine = list(part.fields), list(part.update), list(part.combine)
    order, finish = list(part.carries), list(part.finish)
    after = dict(zip(order, finish, strict=True))
    above = [carry for place, carry in enumerate(carries) if place not in base]
    for carry in above:
        name = carry.name
        if f"coordinate {name}" not in found.elements:
            return None
        whole, grows = found.elements[f"coordinate {name}"], found.elements[f"growth {name}"]
        total = field(f"{name}_added", f"what the piece adds to {readable(whole)[0]}", ZERO)
        fields.append(total)
        update.append(SUMS.add(total.left, grows))
        combine.append(Apply("add", (total.left, total.right)))
        end = _solved(whole, carry, after, {c.state: start_of(c) for c in carries}, total.left)
        if end is None:
            return None
        after[carry.state] = end
        order.append(carry.state)
        finish.append(end)
    proof = f"{found.proof.removeprefix('one pass: ')}; {part.proof}"
    return Part(
        tuple(order), tuple(fields), tuple(update), tuple(combine), tuple(finish),
        f"{part.algebra}, with what is counted beside it", proof, "conditioned",
    )  # fmt: skip


def _solved(
    whole: Term, carry: Carry, after: dict[Value, Term], before: dict[Value, Term], grown: Term
) -> Term | None:
    """What the value of ``carry`` is in the end, from what the ``whole`` has ``grown`` by and from
    what the others are ``after`` the last step and all were ``before`` the first."""
    mine = Read(carry.state, ())
    dependence = Dependence()
    total, own = grown, None
    for part in whole.args if isinstance(whole, Apply) and whole.op == "add" else (whole,):
        scaled = isinstance(part, Apply) and part.op == "mul" and isinstance(part.args[0], Const)
        factor = part.args[0] if isinstance(part, Apply) and scaled else ONE
        total = _plus(total, renamed(part, before))
        if not dependence.mentions(part, (carry.state,)):
            if not dependence.states(part) <= after.keys():
                return None
            total = _plus(total, _times(Const(-1), renamed(part, after)))
        elif part is mine or (isinstance(part, Apply) and scaled and part.args[1:] == (mine,)):
            own = factor
        else:
            return None
    if own is None:
        return None
    if own is ONE:
        return total
    return _times(own, total) if own is Const(-1) else Apply("div", (total, own))


def _plus(a: Term, b: Term) -> Term:
    if isinstance(b, Apply) and b.op == "mul" and b.args[0] is Const(-1) and len(b.args) == 2:
        return _plus(a, _times(Const(-1), b.args[1]))
    if isinstance(b, Apply) and b.op == "mul" and any(arg is ZERO for arg in b.args):
        return a
    return SUMS.add(a, b)


def _times(factor: Const, term: Term) -> Term:
    """The term with the sign turned, if ``factor`` is -1."""
    if isinstance(term, Apply) and term.op == "mul" and isinstance(term.args[0], Const):
        first = term.args[0].value
        if isinstance(first, (int, float)) and len(term.args) == 2:
            by = -first
            return term.args[1] if by == 1 else Apply("mul", (Const(by), term.args[1]))
    return ZERO if term is ZERO else negated(term)
