"""A state-dependent branch refuted by running it: the update, composed with itself on a concrete
input, falls into more and more pieces as a function of the state.

A scan needs functions that compose in bounded size. A clamp after a clamp is a clamp, with three
pieces however many steps are taken; ``s + x if s < 10 else 0`` gets another piece with every step.
The input that shows it is part of the evidence.
"""

from __future__ import annotations

import itertools

import numpy as np

from auditor.algebra.affine import inline
from auditor.algebra.evaluate import evaluate
from auditor.algebra.limits import CannotEvaluate
from auditor.algebra.normal import Normaliser
from auditor.algebra.polynomial import Poly
from auditor.algebra.sampling import Array
from auditor.algebra.states import Dependence
from auditor.algebra.without_algebra import KNOWN
from auditor.notation import (
    Apply,
    Carry,
    Const,
    Index,
    Read,
    Reduce,
    Symbol,
    Term,
    Value,
    children,
    rebuild,
    walk,
)

_STEPS = (1, 2, 4, 8)
_REACH, _PER_UNIT = 40, 4
_DRAWN = ((1, 2, 3), (-3, -2, -1), (-3, -2, -1, 1, 2, 3), (-9, -4, 1, 2, 6))


def grows(carry: Carry) -> str | None:
    """How the pieces of the update's powers grow on some input, or None where they do not."""
    dependence = Dependence()
    update = inline(carry.update, frozenset((carry.state,)), dependence)
    samples = Symbol("samples")
    axis = Index("s", samples)
    state = Value(carry.name, (axis,), kind="input")
    inputs: dict[Poly, Value] = {}
    term = _scalar(update, carry.state, Read(state, (axis,)), inputs, dependence)
    points = _points(update)
    every: dict[Value, list[float]] = {}
    for seed, drawn_from in enumerate(_DRAWN):
        random = np.random.default_rng(seed)
        counts, now = [], points
        every = {value: [] for value in inputs.values()}
        try:
            for step in range(1, _STEPS[-1] + 1):
                env: dict[Value, Array] = {state: now.ravel()}
                for value in inputs.values():
                    drawn = float(random.choice(drawn_from))
                    every[value].append(drawn)
                    env[value] = np.asarray(drawn)
                after = evaluate(term, env, {samples: now.size}, axes=(axis,), functions=KNOWN)
                now = np.asarray(after, float).reshape(points.shape)
                if step in _STEPS:
                    counts.append(_pieces(now))
        except (CannotEvaluate, TypeError):
            return None
        more = all(one < two for one, two in itertools.pairwise(counts))
        if more and counts[0] < points.size // 8 and np.isfinite(now).all():
            shown = ", ".join(map(str, counts))
            given = "; ".join(
                f"inputs {[f'{x:g}' for x in drawn]}".replace("'", "") for drawn in every.values()
            )
            return (
                f"after 1, 2, 4 and 8 steps on {given or 'no inputs'} it has {shown} pieces as a "
                f"function of {carry.name}: no summary of bounded size"
            )
    return None


def _scalar(
    term: Term, state: Value, place: Term, inputs: dict[Poly, Value], dependence: Dependence
) -> Term:
    """``term`` with the state at its samples and what does not depend on it as scalar inputs."""
    if isinstance(term, Read) and term.value is state:
        return place
    if isinstance(term, Reduce) and term.index.group and term.op == "any":
        return _scalar(term.body, state, place, inputs, dependence)  # the truth of one element
    if dependence.mentions(term, (state,)):
        if not isinstance(term, Apply):
            raise CannotEvaluate("a reduction of the state")
        parts = (_scalar(part, state, place, inputs, dependence) for part in children(term))
        return rebuild(term, tuple(parts))
    if isinstance(term, Const):
        return term
    key = Normaliser().normal(term)
    if key not in inputs:
        inputs[key] = Value(f"u{len(inputs)}", (), kind="input")
    return Read(inputs[key], ())


def _points(update: Term) -> Array:
    """States around 0 and around every literal of the update, a row each."""
    found = {0.0}
    for node in walk(update):
        if isinstance(node, Const) and isinstance(node.value, (int, float)):
            if np.isfinite(node.value):
                found.add(float(node.value))
    around = np.arange(-_REACH * _PER_UNIT, _REACH * _PER_UNIT + 1) / _PER_UNIT
    return np.stack([centre + around for centre in sorted(found)])


def _pieces(rows: Array) -> int:
    """One more than the places where the slope changes, neighbouring ones together."""
    slopes = np.diff(rows, axis=1)
    size = np.maximum(1.0, np.abs(slopes[:, 1:]) + np.abs(slopes[:, :-1]))
    bent = np.abs(np.diff(slopes, axis=1)) > 1e-9 * size
    starts = bent[:, 1:] & ~bent[:, :-1]
    return 1 + int(starts.sum() + bent[:, 0].sum())
