"""Stages whose carried values are read only where they are written, as loops over scalars.

Where every update reads the states at its own axes, each element of the arrays is a loop of its
own, and so is a whole stage of them: algebra then works on numbers. A state of fewer axes, which
is broadcast to the others, counts as one of them.
"""

from __future__ import annotations

from collections.abc import Sequence

from auditor.algebra.best import single_truths
from auditor.algebra.states import Dependence
from auditor.notation import (
    Apply,
    Carry,
    Index,
    Order,
    Read,
    Reduce,
    Term,
    Trace,
    Value,
    substitute,
    transform,
    walk,
)


def as_scalars(
    carries: Sequence[Carry], updates: Sequence[Term]
) -> tuple[tuple[Carry, ...], tuple[Term, ...]] | None:
    """The carries and updates with scalar states, or None where an update reads elsewhere."""
    if not any(carry.state.axes for carry in carries):
        return tuple(carries), tuple(single_truths(u, ()) for u in updates)
    made = {
        carry.state: Value(carry.name, (), None, carry.state.dtype, "state", carry.state.library)
        for carry in carries
    }
    most = max((carry.state.axes for carry in carries), key=len)
    dependence = Dependence()
    found = []
    for carry, update in zip(carries, updates, strict=True):
        asked = single_truths(update, carry.state.axes)
        for node in walk(asked):
            if isinstance(node, Trace) and _reaches(node, made):
                return None
            if isinstance(node, (Reduce, Order)) and any(
                isinstance(inner, Read) and inner.value in made for inner in walk(node)
            ):
                return None
            if isinstance(node, Read) and node.value in made:
                if not _own_place(node, carry.state.axes):
                    return None
            elif isinstance(node, Read) and dependence.mentions(node, made):
                return None  # a definition that could not be put in its place

        def scalar(node: Term) -> Term:
            if isinstance(node, Read) and node.value in made:
                return Read(made[node.value], ())
            return node

        found.append(transform(_at(asked, carry.state.axes, most), scalar))
    renamed = tuple(
        Carry(carry.name, made[carry.state], carry.init, update)
        for carry, update in zip(carries, found, strict=True)
    )
    return renamed, tuple(found)


def _at(term: Term, axes: tuple[Index, ...], others: tuple[Index, ...]) -> Term:
    """``term`` over ``others``, where these are the same axes under another name."""
    same = len(axes) == len(others) and all(
        a.group == b.group and a.extent is b.extent for a, b in zip(axes, others, strict=True)
    )
    by: dict[Term, Term] = dict(zip(axes, others, strict=True)) if same else {}
    return substitute(term, by)


def _reaches(trace: Trace, states: dict[Value, Value]) -> bool:
    return any(
        isinstance(node, Read) and node.value in states
        for carry in trace.scan.carries
        for term in (carry.init, carry.update)
        for node in walk(term)
    )


def _own_place(read: Read, axes: tuple[Index, ...]) -> bool:
    """Is it the element under the one that is written?"""
    if read.aligned:
        return read.subs == axes
    places = [axes.index(sub) for sub in read.subs if isinstance(sub, Index) and sub in axes]
    return len(places) == len(read.subs) and places == sorted(set(places))


def unnested(term: Term) -> Term:
    """``term`` with branches on one comparison each: ``where(a and b, u, v)`` is
    ``where(a, where(b, u, v), v)``."""

    def change(node: Term) -> Term:
        if isinstance(node, Apply) and node.op == "where":
            return _branch(*node.args)
        return node

    return transform(term, change)


def _branch(condition: Term, then: Term, otherwise: Term) -> Term:
    if then is otherwise:
        return then
    if isinstance(condition, Apply):
        if condition.op == "not":
            return _branch(condition.args[0], otherwise, then)
        if condition.op == "and":
            for part in reversed(condition.args):
                then = _branch(part, then, otherwise)
            return then
        if condition.op == "or":
            for part in reversed(condition.args):
                otherwise = _branch(part, then, otherwise)
            return otherwise
    return Apply("where", (condition, then, otherwise))
