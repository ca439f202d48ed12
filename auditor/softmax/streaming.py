"""What a loop over the elements of an array leaves in its running maximum and running sum, said
without the loop.

A running sum of exponentials that is rescaled whenever the maximum moves is recognised by the
coordinate to which every step only adds: s' exp(m') = s exp(m) + w exp(x), with weights w or
without. It is proven by normal forms, on whichever spelling the loop has (``max``, ``if x > m``).
"""

from __future__ import annotations

from dataclasses import dataclass, field

from auditor.algebra.normal import TooLarge, equal, expand
from auditor.algebra.paths import Unresolved, paths
from auditor.algebra.states import Dependence
from auditor.lift import Lifted, extents
from auditor.lift.loops import Loop
from auditor.notation import (
    ONE,
    ZERO,
    Apply,
    Carry,
    Const,
    Index,
    Read,
    Reduce,
    Term,
    Value,
    definition,
    refresh,
    substitute,
    transform,
    walk,
)

_MOST_CARRIED = 4


@dataclass
class Closed:
    """Results of loops as reductions, each with its loop; ``online`` are the loops that keep the
    maximum and the rescaled sums together."""

    values: dict[Value, Value] = field(default_factory=dict)
    loops: dict[Value, Loop] = field(default_factory=dict)
    online: list[Loop] = field(default_factory=list)

    def close(self, term: Term, used: dict[int, Loop]) -> Term:
        """``term`` with the results of loops said as reductions; ``used`` collects the loops."""

        def visit(node: Term) -> Term:
            if not isinstance(node, Read):
                return node
            closed = self.values.get(node.value)
            if closed is not None:
                used[id(self.loops[node.value])] = self.loops[node.value]
                inner = definition(Read(closed, node.subs, node.aligned))
                return transform(inner, visit) if inner is not None else node
            if node.value.body is None or not self._mentions(node.value):
                return node
            inner = definition(node)
            return transform(inner, visit) if inner is not None else node

        return transform(term, visit)

    def _mentions(self, value: Value) -> bool:
        seen: set[Value] = set()
        stack = [value]
        while stack:
            at = stack.pop()
            if at in self.values:
                return True
            if at in seen or at.body is None:
                continue
            seen.add(at)
            stack.extend(node.value for node in walk(at.body) if isinstance(node, Read))
        return False


def closed_results(lifted: Lifted) -> Closed:
    """Every loop result of a function that is a maximum, a sum or a rescaled sum."""
    known = lifted.once.get("closed results")
    if isinstance(known, Closed):
        return known
    closed = lifted.once["closed results"] = Closed()
    for loop in lifted.lifter.loops:
        if loop.blocked is None and 1 <= len(loop.scan.carries) <= _MOST_CARRIED:
            try:
                _close(loop, closed)
            except TooLarge:
                continue
    return closed


def _close(loop: Loop, closed: Closed) -> None:
    carries = {carry.name: carry for carry in loop.scan.carries}
    if len(carries) != len(loop.scan.carries) or set(carries) != set(loop.results):
        return
    if len(carries) == 1:
        ((name, carry),) = carries.items()
        body = _summed(carry, loop, closed) or _greatest(carry, loop, closed)
        if body is not None:
            _add(closed, loop, loop.results[name], carry, body)
        return
    for top in carries.values():
        others = tuple(carry for carry in carries.values() if carry is not top)
        found = _kept_together(top, others, loop)
        if found is None:
            continue
        for carry, body in zip((top, *others), found, strict=True):
            _add(closed, loop, loop.results[carry.name], carry, body)
        closed.online.append(loop)
        return


def _add(closed: Closed, loop: Loop, result: Value, carry: Carry, body: Term) -> None:
    axes = tuple(Index(axis.name, axis.extent, axis.group) for axis in carry.state.axes)
    renamed = substitute(refresh(body), dict(zip(carry.state.axes, axes, strict=True)))
    made = Value(result.name, axes, renamed, result.dtype, "derived", result.library, result.span)
    closed.values[result] = made
    closed.loops[result] = loop


def _state(carry: Carry) -> Term:
    return Read(carry.state, tuple(carry.state.axes))


def _reads(term: Term, *carries: Carry) -> bool:
    states = {carry.state for carry in carries}
    return any(isinstance(node, Read) and node.value in states for node in walk(term))


def _offered(carry: Carry) -> Term | None:
    """``x`` of an update that is max(state, x), in either spelling."""
    update = carry.update
    if not isinstance(update, Apply) or update.op not in ("max", "where"):
        return None
    candidates = update.args if update.op == "max" else update.args[1:]
    offered = [arg for arg in candidates if not _reads(arg, carry)]
    if len(offered) != 1:
        return None
    return offered[0] if equal(update, Apply("max", (_state(carry), offered[0]))) else None


def _initial(carry: Carry) -> Term:
    term = expand(carry.init)
    while isinstance(term, Apply) and term.op.startswith("cast:"):
        term = term.args[0]
    return term


def _is(term: Term, number: float) -> bool:
    if isinstance(term, Apply) and term.op == "neg":
        return _is(term.args[0], -number)
    return isinstance(term, Const) and term.value == number


def _at(term: Term, step: Index, place: Term) -> Term:
    """``term`` at another step, with integer arithmetic in subscripts folded."""

    def fold(node: Term) -> Term:
        if isinstance(node, Read):
            subs = tuple(
                sub if isinstance(sub, (Index, Const)) else extents.canonical(sub)
                for sub in node.subs
            )
            return Read(node.value, subs, node.aligned)
        return node

    return transform(substitute(refresh(term), {step: place}), fold)


def _over_steps(op: str, term: Term, loop: Loop) -> Term:
    index = Index(loop.step.name, loop.step.extent)
    return Reduce(op, index, _at(term, loop.step, index))


def _one_more(op: str, term: Term, loop: Loop) -> Term:
    """The reduction with the element before the first step."""
    index = Index(loop.step.name, extents.add(loop.step.extent, ONE))
    return Reduce(op, index, _at(term, loop.step, extents.sub(index, ONE)))


def _summed(carry: Carry, loop: Loop, closed: Closed) -> Term | None:
    update = carry.update
    if not isinstance(update, Apply) or update.op != "add" or not _is(_initial(carry), 0):
        return None
    rest = [arg for arg in update.args if not _reads(arg, carry)]
    if len(rest) != len(update.args) - 1 or not equal(update, Apply("add", (_state(carry), *rest))):
        return None
    term = rest[0] if len(rest) == 1 else Apply("add", tuple(rest))
    return _over_steps("sum", closed.close(term, {}), loop)


def _greatest(carry: Carry, loop: Loop, closed: Closed) -> Term | None:
    offered = _offered(carry)
    return None if offered is None else _maximum(carry, closed.close(offered, {}), loop)


def _maximum(carry: Carry, offered: Term, loop: Loop) -> Term | None:
    first = _initial(carry)
    if _is(first, float("-inf")) or equal(first, _at(offered, loop.step, ZERO)):
        return _over_steps("max", offered, loop)
    if equal(first, _at(offered, loop.step, Const(-1))):
        return _one_more("max", offered, loop)
    return None


def _equal_on_paths(a: Term, b: Term, *carries: Carry) -> bool:
    """Equality on every way through the branches that depend on the carried values."""
    states = frozenset(carry.state for carry in carries)
    try:
        return all(equal(x, y) for x, y in paths([a, b], states, Dependence()))
    except Unresolved:
        return False


def _kept_together(top: Carry, masses: tuple[Carry, ...], loop: Loop) -> tuple[Term, ...] | None:
    """The maximum and the sums of w exp(x - maximum), where all are kept together."""
    offered = _offered(top)
    if offered is None or _reads(offered, top, *masses) or _reads(top.update, *masses):
        return None
    greatest = _maximum(top, offered, loop)
    if greatest is None:
        return None
    assert isinstance(greatest, Reduce)
    totals = [_mass(mass, masses, top, offered, greatest, loop) for mass in masses]
    return (greatest, *(total for total in totals if total)) if all(totals) else None


def _mass(
    mass: Carry, masses: tuple[Carry, ...], top: Carry, offered: Term, greatest: Reduce, loop: Loop
) -> Term | None:
    """A sum of w exp(x - maximum), by s' exp(m') = s exp(m) + w exp(x)."""
    if _reads(mass.update, *(other for other in masses if other is not mass)):
        return None
    places = {
        node.subs for node in walk(mass.update)
        if isinstance(node, Read) and node.value is top.state
    }  # fmt: skip
    if len(places) != 1:
        return None
    (place,) = places
    here: dict[Term, Term] = dict(zip(top.state.axes, place, strict=True))
    kept, moved = Read(top.state, place), substitute(top.update, here)
    offered = substitute(refresh(offered), here)
    before = Apply("mul", (_state(mass), Apply("exp", (kept,))))
    after = Apply("mul", (mass.update, Apply("exp", (moved,))))
    for weight in _weights(mass.update, top, mass):
        more = Apply("exp", (offered,))
        if weight is not ONE:
            more = Apply("mul", (weight, more))
        if _equal_on_paths(after, Apply("add", (before, more)), top, mass):
            return _from_start(mass, weight, offered, substitute(refresh(greatest), here), loop)
    return None


def _weights(update: Term, top: Carry, mass: Carry) -> tuple[Term, ...]:
    """What the exponentials of a sum may be multiplied by: nothing, or a factor of its update."""
    factors = (
        arg for node in walk(update) if isinstance(node, Apply) and node.op == "mul"
        for arg in node.args
        if not _reads(node, mass) and not _reads(arg, top, mass)
    )  # fmt: skip
    return (ONE, *dict.fromkeys(factors))


def _from_start(
    mass: Carry, weight: Term, offered: Term, greatest: Term, loop: Loop
) -> Term | None:
    """The sum over all steps, and over the element before the first one if it starts with that."""
    assert isinstance(greatest, Reduce)
    started = greatest.index.extent is not loop.step.extent
    first = _initial(mass)
    alone = _at(weight, loop.step, Const(-1))
    if not (equal(first, alone) if started else _is(first, 0)):
        return None
    term: Term = Apply("exp", (Apply("sub", (offered, greatest)),))
    if weight is not ONE:
        term = Apply("mul", (weight, term))
    return _one_more("sum", term, loop) if started else _over_steps("sum", term, loop)
