"""A state that is only ever read through sums over one of its axes, and the factors of what it
takes in: what makes a loop over matrices one of matrix products."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from auditor.algebra.affine import Affine, affine_in, divided, is_number, times
from auditor.lift import extents
from auditor.notation import (
    ONE,
    ZERO,
    Apply,
    Index,
    Read,
    Reduce,
    Scan,
    Term,
    Trace,
    Value,
    definition,
    free_indices,
    substitute,
    transform,
    walk,
)


@dataclass(frozen=True)
class Readout:
    """``sum_r weights * state[..., r, ...] + rest``, of the state after the step or ``before`` it.
    ``subs`` are the indices under which it reads the state, one of them ``index``, summed over."""

    weights: Term
    rest: Term
    index: Index
    subs: tuple[Index, ...]
    before: bool


def certain_indices(term: Term) -> frozenset[Index]:
    """The indices that a term depends on, without those under which values of unknown rank are
    only broadcast."""

    def change(node: Term) -> Term:
        if not isinstance(node, Read) or not node.aligned:
            return node
        return ONE if any(axis.group for axis in node.value.axes) else node

    return free_indices(transform(term, change))


def reads(term: Term, scan: Scan, slot: int) -> bool:
    """Whether a term reads a carried value."""
    return any(
        isinstance(node, Trace) and node.scan is scan and node.slot == slot for node in walk(term)
    )


def _rounds(term: Term) -> bool:
    """Whether a term is cast to a narrow type, which the result then has."""
    return isinstance(term, Apply) and term.op in ("cast:float16", "cast:bfloat16")


def readout(term: Term, scan: Scan, slot: int, step: Term) -> Readout | None:
    """A sum as a read-out of a carried value; ``step`` is how the element counts its steps."""
    if not isinstance(term, Reduce) or term.op != "sum" or not reads(term, scan, slot):
        return None
    if any(_rounds(node) and reads(node, scan, slot) for node in walk(term)):
        return None
    state = scan.carries[slot].state
    now, before = (Value(state.name, state.axes, kind="state") for _ in range(2))
    held = {extents.canonical(step): now, extents.canonical(extents.sub(step, ONE)): before}

    def change(node: Term) -> Term:
        if isinstance(node, Trace) and node.scan is scan and node.slot == slot:
            value = held.get(extents.canonical(node.step))
            return node if value is None else Read(value, node.subs)
        return node

    form = affine_in(transform(term, change), held.values())
    if form is None or len(form.coefficients) != 1:
        return None
    ((place, weights),) = form.coefficients.items()
    subs = tuple(sub for sub in place.subs if isinstance(sub, Index))
    if place.bound != (term.index,) or len(set(subs)) != len(state.axes):
        return None
    return Readout(weights, _rest(form, term.index), term.index, subs, place.state is before)


def _rest(form: Affine, index: Index) -> Term:
    """What is added, with the factors that do not depend on ``index`` outside the sum over it."""
    rest = form.constant
    if not isinstance(rest, Reduce) or rest.index is not index:
        return rest
    inside = _flat(rest.body)
    moving = [factor for factor in inside if index in free_indices(factor)]
    outside = [factor for factor in inside if factor not in moving]
    return times(*outside, Reduce("sum", index, times(*moving)))


def _flat(term: Term) -> list[Term]:
    """The factors of a product."""
    term = without_ones(term)
    if isinstance(term, Apply) and term.op == "mul":
        return [factor for arg in term.args for factor in _flat(arg)]
    return [term]


def without_ones(term: Term) -> Term:
    """A sum over an axis of extent 1 is what it is of."""
    if not isinstance(term, Reduce) or term.op != "sum" or term.index.extent is not ONE:
        return term
    return without_ones(substitute(term.body, {term.index: ZERO}))


def innermost_readouts(
    element: Term, scan: Scan, slot: int, step: Term
) -> list[tuple[Term, Readout]] | None:
    """The read-outs of a carried value in an element, none inside another, or None where it is read
    in another way too."""
    found: dict[Term, Readout] = {}
    for node in reversed([part for part in walk(element) if isinstance(part, Reduce)]):
        if not any(other is not node and other in found for other in walk(node)):
            one = readout(node, scan, slot, step)
            if one is not None:
                found[node] = one
    covered = {node for term in found for node in walk(term)}
    for part in walk(element):
        if isinstance(part, Trace) and part.scan is scan and part.slot == slot:
            if part not in covered:
                return None
    return list(found.items())


def outer_factors(
    term: Term, rows: Iterable[Term], columns: Iterable[Term]
) -> tuple[Term, Term] | None:
    """``term`` as a product of one term without the indices ``columns`` and one without ``rows``;
    None where it is none. What has neither goes with the rows."""
    row, column = frozenset(rows), frozenset(columns)
    spans = free_indices(term)
    if spans.isdisjoint(column):
        return term, ONE
    if spans.isdisjoint(row):
        return ONE, term
    opened = definition(term) if isinstance(term, Read) else without_ones(term)
    if opened is not None and opened is not term:
        return outer_factors(opened, row, column)
    if not isinstance(term, Apply):
        return None
    found = [outer_factors(arg, row, column) for arg in term.args]
    parts = [part for part in found if part is not None]
    if term.op == "mul" and len(parts) == len(found):
        return times(*(one for one, _ in parts)), times(*(other for _, other in parts))
    if term.op == "div" and len(parts) == 2:
        (one, other), (below, beneath) = parts
        return _quotient(one, below), _quotient(other, beneath)
    if term.op == "neg" and parts:
        return Apply("neg", (parts[0][0],)), parts[0][1]
    if term.op == "where" and len(parts) == 3 and is_number(term.args[2], 0):
        chosen = free_indices(term.args[0])
        if chosen.isdisjoint(row | column):
            return Apply("where", (term.args[0], parts[1][0], ZERO)), parts[1][1]
    if term.op.startswith("cast:float") and parts:
        return Apply(term.op, (parts[0][0],)), Apply(term.op, (parts[0][1],))
    return None


def _quotient(a: Term, b: Term) -> Term:
    return a if is_number(b, 1) else divided(a, b)
