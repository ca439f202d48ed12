"""Loops that multiply by the same factor at every step, read off their notation.

A carried value whose step is ``s * x``, ``s @ A`` or ``A @ s`` for a factor that no step changes
holds a power of that factor times what it started from. Over the integers modulo m the product may
be reduced at every step.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from auditor.algebra.affine import affine_in
from auditor.algebra.limits import TooLarge
from auditor.algebra.normal import normal
from auditor.lift.loop_results import broadcast_to
from auditor.notation import (
    ONE,
    ZERO,
    Apply,
    Const,
    Index,
    Read,
    Term,
    Value,
    definition,
    transform,
    walk,
)
from auditor.recurrences.recurrence import LoopRegion

Side = Literal["number", "left", "right"]


@dataclass(frozen=True)
class Power:
    """``state = state * factor`` (``number``: element by element), ``state @ factor`` (``right``)
    or ``factor @ state`` (``left``), reduced by ``modulus`` if there is one. ``axes`` are the
    factor's own last two where it is a matrix; ``vector`` where it meets no matrix."""

    name: str
    state: Value
    factor: Term
    side: Side
    modulus: Term | None = None
    axes: tuple[Index, ...] = ()
    vector: bool = False


def power(region: LoopRegion, name: str) -> Power | None:
    """The power that a carried value holds after the loop, or None."""
    state = region.loop.states[name]
    term = region.final_element(name)
    term, modulus = _reduced(term)
    if modulus is not None and not constant_over(region, modulus):
        return None
    affine = affine_in(term, (state,))
    if affine is None or affine.constant is not ZERO or len(affine.coefficients) != 1:
        return None
    ((place, factor),) = affine.coefficients.items()
    if factor is ONE or not constant_over(region, factor):
        return None
    if place.at(state.axes):
        return Power(name, state, factor, "number", modulus)
    if len(place.bound) != 1 or modulus is not None:
        return None
    return _matrix(region, name, factor, place.subs, place.bound[0])


def _reduced(term: Term) -> tuple[Term, Term | None]:
    """``e % m`` as (e, m)."""
    if isinstance(term, Apply) and term.op == "mod":
        return term.args[0], term.args[1]
    return term, None


def constant_over(region: LoopRegion, term: Term) -> bool:
    """Whether no step changes ``term``: it reads neither the step nor what the loop carries."""
    states = set(region.loop.states.values())
    for node in walk(region.inlined(term)):
        if node is region.step or (isinstance(node, Read) and node.value in states):
            return False
        if isinstance(node, Apply) and node.op.startswith("call:"):
            return False
    return True


def _matrix(
    region: LoopRegion, name: str, factor: Term, subs: tuple[Term, ...], inner: Index
) -> Power | None:
    """``sum_k s[..., i, k] A[k, j]`` or ``sum_k A[i, k] s[..., k, j]``."""
    state = region.loop.states[name]
    axes = state.axes
    used = {node for node in walk(region.inlined(factor)) if isinstance(node, Index)}
    batch = used - {inner}
    if len(subs) != len(axes) or inner not in used:
        return None
    moved = [place for place, sub in enumerate(subs) if sub is not axes[place]]
    if len(moved) != 1 or subs[moved[0]] is not inner:
        return None
    (place,) = moved
    kept = axes[place]
    if kept not in used or any(axis.group for axis in (*axes[-2:], kept)):
        return None
    if place == len(axes) - 1 and (len(axes) < 2 or axes[-2] not in batch):
        # the last axis of the state meets the first of the factor: a row, or rows, times a matrix
        return Power(name, state, factor, "right", None, (inner, kept), len(axes) == 1)
    if place == len(axes) - 2 and axes[-1] not in batch:
        return Power(name, state, factor, "left", None, (kept, inner))
    return None


def expanded(term: Term) -> Term:
    """``term`` with every definition in its place, inside the loop and outside."""

    def change(node: Term) -> Term:
        if isinstance(node, Read):
            inner = definition(node)
            if inner is not None:
                return transform(inner, change)
        if isinstance(node, Apply) and node.op.startswith("cast:"):
            return node.args[0]
        return node

    return transform(term, change)


def starts_at_one(region: LoopRegion, found: Power) -> bool:
    """Whether the state starts as 1, as ones or as one identity matrix."""
    value = region.init_of(found.name)
    assert value is not None
    start = expanded(broadcast_to(region.lifted.lifter, value, value.axes))
    if found.side == "number":
        return isinstance(start, Const) and start.value in (1, 1.0) and start.value is not True
    if not isinstance(start, Apply) or start.op != "where" or len(value.axes) != 2:
        return False
    test, then, otherwise = start.args
    if not (isinstance(test, Apply) and test.op == "eq" and set(test.args) == set(value.axes)):
        return False
    return _is(then, 1) and _is(otherwise, 0)


def _is(term: Term, value: int) -> bool:
    return isinstance(term, Const) and term.value == value


def starts_at_factor(region: LoopRegion, found: Power) -> bool:
    """Whether the state starts as the factor itself."""
    start = _start(region, found)
    if found.side == "number":
        return same_element(start, found.factor)
    if len(found.state.axes) < 2:
        return False
    by = dict(zip(found.axes, found.state.axes[-2:], strict=True))
    return same_element(start, found.factor, by)


def _start(region: LoopRegion, found: Power) -> Term:
    value = region.init_of(found.name)
    assert value is not None
    return broadcast_to(region.lifted.lifter, value, found.state.axes)


def element(region: LoopRegion, value: Value, found: Power) -> Term | None:
    """The element of ``value`` where the factor has it; None where it has not as many axes as a
    factor."""
    axes = found.state.axes
    if found.side != "number":
        if len(value.axes) < 2 or any(axis.group for axis in value.axes[-2:]):
            return None
        axes = (*axes[:-2], *found.axes)
    if len(value.axes) > len(axes):
        return None
    axes = axes[len(axes) - len(value.axes) :] if found.side != "number" else axes
    return broadcast_to(region.lifted.lifter, value, axes)


def same_element(left: Term, right: Term, axes: Mapping[Index, Term] | None = None) -> bool:
    """Whether two terms are equal, rounding casts included."""
    try:
        return normal(left, casts=True) == normal(right, casts=True, axes=axes)
    except TooLarge:
        return False
