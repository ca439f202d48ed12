"""A loop inside a loop, as one term: where the inner one only adds up, or keeps an extreme, what it
leaves is its start combined with a reduction over its steps."""

from __future__ import annotations

from auditor.algebra.best import remembered
from auditor.algebra.choices import settled
from auditor.algebra.domains import summarise
from auditor.algebra.limits import TooLarge
from auditor.algebra.normal import equal
from auditor.algebra.scalars import unnested
from auditor.algebra.states import Dependence
from auditor.algebra.summary import Stage, Summary
from auditor.algebra.tropical import boolean
from auditor.notation import (
    FALSE,
    ONE,
    TRUE,
    ZERO,
    Apply,
    Carry,
    Const,
    Index,
    Read,
    Reduce,
    Scan,
    Term,
    Trace,
    refresh,
    substitute,
    transform,
)

_REDUCED = {"sum": ("add", "sum", "b"), "max": ("max", "max", "x"), "min": ("min", "min", "x")}


def flattened(term: Term, scan: Scan | None) -> Term:
    """``term`` with the results of inner loops that are reductions written as such."""
    known: dict[Trace, Term] = {}
    inner: dict[Scan, list[Stage]] = {}

    def change(node: Term) -> Term:
        if not isinstance(node, Trace) or node.scan is scan:
            return node
        if node not in known:
            known[node] = _left(node, scan, inner)
        return known[node]

    return transform(term, change)


def _left(trace: Trace, around: Scan | None, known: dict[Scan, list[Stage]]) -> Term:
    """What the inner loop leaves, as a reduction where it is one."""
    scan = trace.scan
    if not equal(Apply("add", (trace.step, ONE)), scan.step.extent):
        return trace
    if scan not in known:
        try:
            known[scan] = summarise(scan)
        except TooLarge:
            known[scan] = []
    mine = next((s for s in known[scan] if s.state == (trace.slot,)), None)
    if isinstance(mine, Summary):
        for how in (_reduced(mine), _chosen(trace, known[scan])):
            if isinstance(how, Term):
                return how
            if how is not None and (found := _reduction(trace, *how)) is not None:
                return found
    how = _truths(trace, around)
    found = None if how is None else _reduction(trace, *how)
    return found or trace


def _reduction(trace: Trace, op: str, reduced: str, element: Term) -> Term | None:
    """The start combined with ``element`` reduced over the steps."""
    scan, carry = trace.scan, trace.scan.carries[trace.slot]
    if Dependence().mentions(element, [other.state for other in scan.carries]):
        return None
    at: dict[Term, Term] = dict(zip(carry.state.axes, trace.subs, strict=True))
    index = Index(scan.step.name, scan.step.extent)
    body = substitute(refresh(element), {**at, scan.step: index})
    return Apply(op, (substitute(refresh(carry.init), at), Reduce(reduced, index, body)))


def _reduced(found: Summary) -> tuple[str, str, Term] | None:
    """What combines the start with a reduction, the reduction, and its element."""
    if found.domain not in _REDUCED:
        return None
    op, reduced, name = _REDUCED[found.domain]
    return op, reduced, found.elements[name]


def _truths(trace: Trace, around: Scan | None) -> tuple[str, str, Term] | None:
    """The same of a boolean that is only ever set, or only ever cleared."""
    carry = trace.scan.carries[trace.slot]
    carries = () if around is None else around.carries
    outer = next(
        (c for c in carries if c.state.axes == () and carry.init is Read(c.state, ())), None
    )
    if not boolean(carry, init=TRUE if outer is not None and boolean(outer) else carry.init):
        return None
    yes, no = (settled(carry.update, {carry.state: value}) for value in (TRUE, FALSE))
    if yes is TRUE:
        return "or", "any", no
    return ("and", "all", yes) if no is FALSE else None


def _chosen(trace: Trace, found: list[Stage]) -> Term | None:
    """What was remembered from where another value of the inner loop was best: that of a loop that
    starts from nothing, if it gets further than where this one starts."""
    scan = trace.scan
    carry = scan.carries[trace.slot]
    dependence = Dependence()
    read = dependence.states(carry.update) & {c.state for c in scan.carries} - {carry.state}
    slot = next((n for n, c in enumerate(scan.carries) if read == {c.state}), None)
    key = next((s for s in found if s.state == (slot,) and isinstance(s, Summary)), None)
    if slot is None or key is None or key.domain not in ("max", "min") or trace.subs:
        return None
    best, limit = scan.carries[slot], Const(float("-inf" if key.domain == "max" else "inf"))
    if best.state.axes or dependence.mentions(key.elements["x"], [c.state for c in scan.carries]):
        return None
    given = (unnested(carry.update), best, unnested(best.update))
    rule = remembered(carry, *given, [best], dependence)
    if rule is None or rule.tie != "earlier":  # a later one would replace the start by nothing
        return None
    made = Scan(Index(scan.step.name, scan.step.extent), scan.span)
    moved: dict[Term, Term] = {scan.step: made.step}
    made.carries = tuple(
        Carry(c.name, c.state, start, substitute(refresh(c.update), moved))
        for c, start in ((best, limit), (carry, ZERO))
    )
    reached = _reduction(Trace(scan, slot, trace.step, ()), *_REDUCED[key.domain][:2], rule.key)
    assert isinstance(reached, Apply)
    further = Apply("gt" if key.domain == "max" else "lt", (reached.args[1], best.init))
    return Apply("where", (further, Trace(made, 1, trace.step, ()), carry.init))
