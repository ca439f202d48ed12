"""A loop inside a loop, as one term: where the inner one only adds up, or keeps an extreme, what it
leaves is its start combined with a reduction over its steps."""

from __future__ import annotations

from auditor.algebra.domains import summarise
from auditor.algebra.limits import TooLarge
from auditor.algebra.normal import equal
from auditor.algebra.states import Dependence
from auditor.algebra.summary import Summary
from auditor.notation import (
    ONE,
    Apply,
    Index,
    Reduce,
    Scan,
    Term,
    Trace,
    refresh,
    substitute,
    transform,
)

_REDUCED = {"sum": ("add", "sum", "b"), "max": ("max", "max", "x"), "min": ("min", "min", "x")}


def flattened(term: Term, scan: Scan) -> Term:
    """``term`` with the results of inner loops that are reductions written as such."""
    known: dict[Trace, Term] = {}

    def change(node: Term) -> Term:
        if not isinstance(node, Trace) or node.scan is scan:
            return node
        if node not in known:
            known[node] = _reduction(node) or node
        return known[node]

    return transform(term, change)


def _reduction(trace: Trace) -> Term | None:
    inner = trace.scan
    carry = inner.carries[trace.slot]
    if not equal(Apply("add", (trace.step, ONE)), inner.step.extent):
        return None
    try:
        stages = summarise(inner)
    except TooLarge:
        return None
    mine = [s for s in stages if isinstance(s, Summary) and s.state == (trace.slot,)]
    if not mine or mine[0].domain not in _REDUCED:
        return None
    op, reduced, name = _REDUCED[mine[0].domain]
    element = mine[0].elements[name]
    if Dependence().mentions(element, [other.state for other in inner.carries]):
        return None
    at: dict[Term, Term] = dict(zip(carry.state.axes, trace.subs, strict=True))
    index = Index(inner.step.name, inner.step.extent)
    body = substitute(refresh(element), {**at, inner.step: index})
    return Apply(op, (substitute(refresh(carry.init), at), Reduce(reduced, index, body)))
