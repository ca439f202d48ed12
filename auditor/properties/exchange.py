"""A loop run with two of its steps exchanged, and an expression with two elements of its inputs."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from auditor.algebra.evaluate import evaluate, evaluate_each
from auditor.algebra.kinds import UNKNOWN, Kinds
from auditor.algebra.limits import CannotEvaluate
from auditor.algebra.sampling import Array, Inputs, inputs
from auditor.algebra.subterms import everything
from auditor.algebra.without_algebra import KNOWN
from auditor.notation import (
    Apply,
    Carry,
    Const,
    Index,
    Read,
    Reduce,
    Scan,
    Symbol,
    Term,
    Trace,
    Value,
    free_indices,
    substitute,
    walk,
)
from auditor.properties.subject import Result, Subject, rests_on
from auditor.properties.witness import is_text, letters, told
from auditor.verdict import Verdict

_SIZE = 4
_SEEDS = (7, 8, 9, 12)
# The last one is of longer axes, of which numbers that say how far something reaches say less.
_RUNS = (*((seed, _SIZE) for seed in _SEEDS), (13, 3 * _SIZE))
# Further runs, with more steps, on values about the loop's own literals: a branch that is seldom
# taken, a clamp that is seldom reached.
_NEAR_LITERALS = range(20, 52)
_STEPS, _MORE_STEPS = 3, 6


def exchanged_steps(scan: Scan, kinds: Kinds = UNKNOWN) -> Verdict:
    """Run the loop with two of its steps exchanged, and compare all that it carries at its end.
    ``kinds`` is what the inputs are said to hold."""
    places = _places(scan)
    if not places:
        opaque = next((name for name in map(_from_a_call, scan.carries) if name), None)
        if opaque is not None:
            return Verdict("unknown", None, f"{opaque} has no notation: what it reads is not known")
        if any(scan.step in free_indices(sub) for sub in _deep_places(scan)):
            return Verdict("unknown", None, "which inputs a step reads depends on the step itself")
        if not any(scan.step in free_indices(carry.update) for carry in scan.carries):
            return Verdict("holds", "structure", "every step does the same as any other")
        return Verdict("fails", "structure", "no input is read at the step")
    several = next(
        (value for (value, _), subs in places.items() if len(subs) > 1 or _mixed(subs, scan)), None
    )
    if several is not None:
        reason = f"each step reads {several.name} at several places, so no two can be exchanged"
        return Verdict("fails", "structure", reason)
    at = {key: next(iter(subs)) for key, subs in places.items()}
    runs: list[Verdict] = []
    for seed in _SEEDS:
        try:
            runs.append(_run(scan, at, seed, kinds))
        except CannotEvaluate as missing:
            return Verdict(
                "unknown", None, f"the loop could not be run on sampled inputs: {missing}"
            )
        if runs[-1].verdict == "fails":
            return runs[-1]
    found = next((run for run in runs if run.verdict == "partial"), runs[-1])
    if found.verdict != "partial":
        return found
    pool = _about(_literals(scan))
    for seed in _NEAR_LITERALS:
        try:
            near = _run(scan, at, seed, kinds, pool)
        except CannotEvaluate:
            continue
        if near.verdict == "fails":
            return near
    return found


def _deep_places(scan: Scan) -> Iterator[Term]:
    """Every place of every array that a step reads, also through definitions and inner loops."""
    for node in everything(carry.update for carry in scan.carries):
        if isinstance(node, Read) and node.value.kind != "state":
            yield from node.subs
        elif isinstance(node, Reduce):
            yield node.index.extent


def _from_a_call(carry: Carry) -> str | None:
    """The name of what a carried value is updated from, if that has no meaning."""
    for node in everything((carry.update,)):
        if isinstance(node, Apply) and node.op.startswith("call:value "):
            return node.op.removeprefix("call:value ")
    return None


def _literals(scan: Scan) -> set[float]:
    """The numbers that the loop's body names."""
    return {
        float(node.value)
        for carry in scan.carries
        for node in walk(carry.update)
        if isinstance(node, Const)
        and isinstance(node.value, (int, float))
        and np.isfinite(float(node.value))
    }


def _about(literals: set[float]) -> Array:
    """Small numbers and what lies near the literals, all of them quarters: sums are exact."""
    near = {0.0, 0.25, 0.5, 1.0, 1.75, 2.0, 3.0, 5.0, 10.0}
    near |= {number + by for number in literals for by in (-1.0, -0.25, 0.0, 0.25, 1.0)}
    near |= {number / 2 for number in literals}
    return np.unique(np.round(np.array([*near, *(-number for number in near)]) * 4) / 4)


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
                    axis = place - len(node.subs) if _from_the_right(node, place) else place
                    found.setdefault((node.value, axis), set()).add(sub)
    return found


def _from_the_right(read: Read, place: int) -> bool:
    """Whether an axis is counted from the right: it is read broadcast, or behind axes of unknown
    number."""
    axes = (*read.value.axes[: place + 1], *(s for s in read.subs[:place] if isinstance(s, Index)))
    broadcast = read.aligned and len(read.subs) != len(read.value.axes)
    return broadcast or any(axis.group for axis in axes)


def _mixed(subs: set[Term], scan: Scan) -> bool:
    """Does a place depend on more than the step?"""
    return any(isinstance(n, Index) and n is not scan.step for sub in subs for n in walk(sub))


def _run(
    scan: Scan,
    places: dict[tuple[Value, int], Term],
    seed: int,
    kinds: Kinds,
    pool: Array | None = None,
) -> Verdict:
    """Exchange two neighbouring steps, the first or the last ones by the seed; what is read at the
    steps is drawn from ``pool`` if there is one."""
    extent = scan.step.extent
    every = [
        Trace(scan, slot, Const(0), carry.state.axes) for slot, carry in enumerate(scan.carries)
    ]
    reads = [extent, *(axis.extent for value, _ in places for axis in value.axes if not axis.group)]
    given = inputs(
        [*every, *reads], seed, _SIZE if pool is None else _MORE_STEPS,
        {extent: _STEPS if pool is None else _MORE_STEPS} if isinstance(extent, Symbol) else None,
        kinds,
    )  # fmt: skip
    steps = int(evaluate(extent, given.env, given.sizes))
    if steps < 2:
        return Verdict("unknown", None, "the loop has no two steps on a sampled input")
    run: dict[str, Any] = {"groups": given.groups, "functions": KNOWN}
    swap = (0, 1) if seed % 2 else (steps - 2, steps - 1)
    if pool is not None:
        swap = (seed % (steps - 1), seed % (steps - 1) + 1)
    for value, array in given.env.items():
        if array.dtype.kind == "f":
            given.env[value] = np.round(array, 2)  # as it is told
    arrays = {
        value: np.array(evaluate(value, given.env, given.sizes, **run)) for value, _ in places
    }
    small = 1e-12
    if pool is not None:
        random = np.random.default_rng(seed)
        arrays |= {
            value: _drawn(random, pool, array, value.name in kinds.whole)
            for value, array in arrays.items()
            if value.name not in kinds.texts
        }
        small = 1e-9 * float(np.abs(pool).max())
    swapped = _swapped(scan, places, arrays, swap, given)
    if all(np.array_equal(swapped[value], arrays[value]) for value in arrays):
        return Verdict("unknown", None, "two steps read the same on a sampled input")
    finite = False
    last = [
        (Trace(scan, slot, Const(steps - 1), carry.state.axes), carry.state.axes)
        for slot, carry in enumerate(scan.carries)
    ]
    ends = (
        evaluate_each(last, {**given.env, **env}, given.sizes, **run) for env in (arrays, swapped)
    )
    for carry, first, second in zip(scan.carries, *ends, strict=True):
        if not np.allclose(first, second, rtol=1e-9, atol=small, equal_nan=True):
            run_on = replace(given, env={**given.env, **arrays})
            text = is_text(carry.update, kinds)
            return _differs(carry.name, first, second, swap, run_on, text)
        finite = finite or bool(np.isfinite(first).any())
    if not finite:
        return Verdict("unknown", None, "the loop is not finite on a sampled input")
    return Verdict("partial", "probe", "exchanging two steps changed nothing on a sampled input")


def _swapped(
    scan: Scan,
    places: dict[tuple[Value, int], Term],
    arrays: dict[Value, Array],
    swap: tuple[int, int],
    given: Inputs,
) -> dict[Value, Array]:
    """The arrays with what two steps read exchanged, each axis once, however it was counted."""
    at: dict[tuple[Value, int], list[int]] = {}
    for (value, counted), sub in places.items():
        pair = [_at(sub, scan, step, given) for step in swap]
        shape = arrays[value].shape
        axis = counted + len(shape) if counted < 0 else counted
        if not 0 <= axis < len(shape) or any(place >= shape[axis] for place in pair):
            raise CannotEvaluate(f"{value.name} is too short")
        if at.setdefault((value, axis), pair) != pair:
            raise CannotEvaluate(f"each step reads {value.name} at several places")
    swapped = dict(arrays)
    for (value, axis), (one, two) in at.items():
        order = list(range(arrays[value].shape[axis]))
        order[one], order[two] = two, one
        swapped[value] = np.take(swapped[value], order, axis)
    return swapped


def _drawn(random: np.random.Generator, pool: Array, like: Array, whole: bool) -> Array:
    """An array of the kind of ``like`` with values of the pool, or whole ones of it."""
    if like.dtype.kind not in "fi":
        return like
    drawn = random.choice(pool, size=like.shape)
    if random.random() < 0.5 or whole or like.dtype.kind == "i":
        drawn = np.round(drawn)
    if random.random() < 0.5:
        drawn = np.abs(drawn)
    return np.asarray(drawn, like.dtype)


def _at(sub: Term, scan: Scan, step: int, given: Inputs) -> int:
    return int(evaluate(substitute(sub, {scan.step: Const(step)}), given.env, given.sizes))


def _differs(
    name: str, one: Array, two: Array, swap: tuple[int, int], given: Inputs, text: bool
) -> Verdict:
    gap = np.abs(np.nan_to_num(np.asarray(one, complex) - np.asarray(two, complex)))
    place = int(gap.argmax())
    before, after = (np.ravel(array)[place] for array in (one, two))
    if not (np.isfinite(before) and np.isfinite(after)):
        return Verdict("unknown", None, f"{name} is not finite on a sampled input")
    new, old = (repr(letters(x)) if text else f"{x:.4g}" for x in (after, before))
    return Verdict(
        "fails", "counterexample",
        f"{told(given)}: with steps {swap[0]} and {swap[1]} exchanged "
        f"{name}{_at_place(np.asarray(one), place)} ends at {new} instead of {old}",
    )  # fmt: skip


def left_by(scan: Scan) -> tuple[Result, ...]:
    """What a loop leaves, as results over the states' axes."""
    last = Apply("sub", (scan.step.extent, Const(1)))
    return tuple(
        Result(carry.name, carry.state.axes, Trace(scan, slot, last, carry.state.axes))
        for slot, carry in enumerate(scan.carries)
    )


def exchanged_elements(
    subject: Subject, results: tuple[Result, ...] | None = None
) -> Verdict | None:
    """Run an expression with two places of an axis exchanged in every input that has it: the result
    changes, beyond having the same places exchanged. None where no axis shows that."""
    results = subject.results if results is None else results
    terms = [result.term for result in results]
    axes = [axis for result in results for axis in result.indices]
    kept: dict[str, int] = {}
    witness = hidden = None
    try:
        for seed, size in _RUNS:
            if size > _SIZE and len(_SEEDS) not in kept.values():
                break  # nothing is left that it might say less of
            reads = [*terms, *(axis.extent for axis in axes)]
            given = inputs(reads, seed, size, kinds=subject.kinds)
            for value, array in given.env.items():
                if array.dtype.kind == "f":
                    given.env[value] = np.round(array * 4) / 4
                elif size > _SIZE and not value.axes and array == size:
                    given.env[value] = np.asarray(2)
            before = _run_all(results, given)
            given_names = {value.name for value in given.env}
            for places in _axes_of_one_extent(subject, given):
                env = dict(given.env)
                for value, axis in places:
                    env[value] = _exchanged(env[value], axis)
                moved = replace(given, env=env)
                after = _run_all(results, moved)
                names = ", ".join(dict.fromkeys(value.name for value, _ in places))
                moving = {value for value, _ in places}
                made = next((value for value in env if rests_on(value, moving)), None)
                if made is not None:
                    hidden = f"{made.name} has no notation, and may be made from {names}"
                    continue
                if all(map(_close, before, after)):
                    if names not in given_names:
                        continue  # two operands permuted alike: every contraction allows that
                    same = all(np.array_equal(env[value], given.env[value]) for value in moving)
                    if not all(np.isfinite(array).all() for array in before):
                        hidden = "the result is not finite on a sampled input"
                        continue
                    if same or not any(array.size for array in before):
                        continue  # nothing was exchanged, or nothing is computed
                    kept[names] = kept.get(names, 0) + 1
                elif witness is None:
                    pairs = zip(before, after, strict=True)
                    other = next((pair for pair in pairs if not _same(*pair)), None)
                    witness = None if other is None else _told(names, given, *other)
    except (CannotEvaluate, IndexError, ValueError):
        return None
    for names, times in kept.items():
        if times == len(_RUNS):
            reason = f"exchanging the first two places of {names} changed nothing on sampled inputs"
            return Verdict("partial", "probe", reason)
    if witness is not None:
        return Verdict("fails", "counterexample", witness)
    return None if hidden is None else Verdict("unknown", None, hidden)


def _run_all(results: tuple[Result, ...], given: Inputs) -> list[Array]:
    terms = ((result.term, result.indices) for result in results)
    run = evaluate_each(terms, given.env, given.sizes, groups=given.groups, functions=KNOWN)
    return list(run)


def _axes_of_one_extent(subject: Subject, given: Inputs) -> list[list[tuple[Value, int]]]:
    """The inputs' axes, those of equal extent together."""
    found: dict[object, list[tuple[Value, int]]] = {}
    for value, array in given.env.items():
        for place, axis in enumerate(value.axes):
            if not axis.group and array.shape[place] > 1:
                found.setdefault(subject.form(axis.extent), []).append((value, place))
    return list(found.values())


def _exchanged(array: Array, axis: int) -> Array:
    order = list(range(array.shape[axis]))
    order[0], order[1] = order[1], order[0]
    return np.take(array, order, axis)


def _same(before: Array, after: Array) -> bool:
    """Equal, or equal once the same two places of some axes are exchanged."""
    long = [axis for axis in range(before.ndim) if before.shape[axis] > 1]
    for count in range(len(long) + 1):
        for chosen in itertools.combinations(long, count):
            moved = before
            for axis in chosen:
                moved = _exchanged(moved, axis)
            if _close(moved, after):
                return True
    return False


def _close(one: Array, two: Array) -> bool:
    return bool(np.allclose(one, two, rtol=1e-9, atol=1e-12, equal_nan=True))


def _told(names: str, given: Inputs, before: Array, after: Array) -> str | None:
    if not (np.isfinite(before).all() and np.isfinite(after).all()):
        return None
    gap = np.abs(np.asarray(before, complex) - np.asarray(after, complex))
    at = int(gap.argmax())
    return (
        f"{told(given)}: exchanging the first two places of {names} gives "
        f"{np.ravel(after)[at]:.4g} instead of {np.ravel(before)[at]:.4g}"
        f"{_at_place(np.asarray(before), at)}"
    )


def _at_place(array: Array, flat: int) -> str:
    """Which element is meant, where there are several."""
    if not array.ndim:
        return ""
    return f" at [{', '.join(map(str, np.unravel_index(flat, array.shape)))}]"
