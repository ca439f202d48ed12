"""A loop run with two of its steps exchanged."""

from __future__ import annotations

from typing import Any

import numpy as np

from auditor.algebra.evaluate import evaluate
from auditor.algebra.limits import CannotEvaluate
from auditor.algebra.sampling import Array, Inputs, inputs
from auditor.algebra.without_algebra import KNOWN
from auditor.notation import (
    Const,
    Index,
    Read,
    Scan,
    Symbol,
    Term,
    Trace,
    Value,
    substitute,
    walk,
)
from auditor.verdict import Verdict

_SIZE = 4


def exchanged_steps(scan: Scan) -> Verdict:
    """Run the loop with its first two steps exchanged."""
    places = _places(scan)
    if not places:
        return Verdict("fails", "structure", "no input is read at the step")
    several = next(
        (value for (value, _), subs in places.items() if len(subs) > 1 or _mixed(subs, scan)), None
    )
    if several is not None:
        reason = f"each step reads {several.name} at several places, so no two can be exchanged"
        return Verdict("fails", "structure", reason)
    try:
        return _run(scan, {key: next(iter(subs)) for key, subs in places.items()})
    except CannotEvaluate as missing:
        return Verdict("unknown", None, f"the loop could not be run: {missing}")


def _places(scan: Scan) -> dict[tuple[Value, int], set[Term]]:
    """Where each array is read that is read at the step: its axis, counted from the right behind
    axes of unknown number."""
    found: dict[tuple[Value, int], set[Term]] = {}
    for carry in scan.carries:
        for node in walk(carry.update):
            if not isinstance(node, Read) or node.value.kind == "state":
                continue
            for place, sub in enumerate(node.subs):
                inside = set(walk(sub))
                if scan.step in inside and not any(isinstance(part, Read) for part in inside):
                    before = node.subs[:place]
                    far = node.aligned or any(isinstance(s, Index) and s.group for s in before)
                    axis = place - len(node.subs) if far else place
                    found.setdefault((node.value, axis), set()).add(sub)
    return found


def _mixed(subs: set[Term], scan: Scan) -> bool:
    """Does a place depend on more than the step?"""
    return any(isinstance(n, Index) and n is not scan.step for sub in subs for n in walk(sub))


def _run(scan: Scan, places: dict[tuple[Value, int], Term]) -> Verdict:
    extent = scan.step.extent
    every = [
        Trace(scan, slot, Const(0), carry.state.axes) for slot, carry in enumerate(scan.carries)
    ]
    reads = [extent, *(axis.extent for value, _ in places for axis in value.axes if not axis.group)]
    given = inputs([*every, *reads], 7, _SIZE, {extent: 3} if isinstance(extent, Symbol) else None)
    steps = int(evaluate(extent, given.env, given.sizes))
    if steps < 2:
        return Verdict("unknown", None, "the loop has no two steps on a sampled input")
    run: dict[str, Any] = {"groups": given.groups, "functions": KNOWN}
    arrays = {
        value: np.array(evaluate(value, given.env, given.sizes, **run)) for value, _ in places
    }
    swapped = {value: array.copy() for value, array in arrays.items()}
    for (value, axis), sub in places.items():
        one, two = (_at(sub, scan, step, given) for step in (0, 1))
        array = swapped[value]
        if not all(-array.ndim <= axis < array.ndim and p < array.shape[axis] for p in (one, two)):
            raise CannotEvaluate(f"{value.name} is too short")
        order = list(range(array.shape[axis]))
        order[one], order[two] = two, one
        swapped[value] = np.take(array, order, axis)
    finite = False
    for slot, carry in enumerate(scan.carries):
        axes = carry.state.axes
        last = Trace(scan, slot, Const(steps - 1), axes)
        first, second = (
            evaluate(
                last,
                {**given.env, **env},
                given.sizes,
                axes=axes,
                groups=given.groups,
                functions=KNOWN,
            )
            for env in (arrays, swapped)
        )
        if not np.allclose(first, second, rtol=1e-9, atol=1e-12, equal_nan=True):
            return _differs(carry.name, first, second, steps)
        finite = finite or bool(np.isfinite(first).any())
    if not finite:
        return Verdict("unknown", None, "the loop is not finite on a sampled input")
    return Verdict("partial", "probe", "exchanging two steps changed nothing on a sampled input")


def _at(sub: Term, scan: Scan, step: int, given: Inputs) -> int:
    return int(evaluate(substitute(sub, {scan.step: Const(step)}), given.env, given.sizes))


def _differs(name: str, one: Array, two: Array, steps: int) -> Verdict:
    gap = np.abs(np.nan_to_num(np.asarray(one, complex) - np.asarray(two, complex)))
    place = int(gap.argmax())
    before, after = (np.ravel(array)[place] for array in (one, two))
    if not (np.isfinite(before) and np.isfinite(after)):
        return Verdict("unknown", None, f"{name} is not finite on a sampled input")
    return Verdict(
        "fails", "counterexample",
        f"with its first two steps exchanged {name} ends at {after:.4g} instead of {before:.4g} "
        f"on a sampled input of {steps} steps",
    )  # fmt: skip
