"""Running notation on concrete arrays, with NumPy.

Every index in scope is bound to an integer array along a dimension of its own; dimensions are
counted from the right, so that a reduction adds its dimension on the left and everything that does
not depend on it broadcasts by itself. What a term does not depend on therefore costs nothing.

A value whose body mentions nothing but its own axes is computed once and kept; a value of a loop
body, which also reads the step and the carried states, is computed in place where it is read.

An element outside an array is not an error here but a NaN (the clipped element for integers): the
notation guards such reads by a condition, and both branches of a guard are evaluated.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import reduce as folded
from typing import Any

import numpy as np

from auditor.algebra.elementwise import apply, reduce
from auditor.algebra.limits import MOST_ELEMENTS, MOST_STEPS, CannotEvaluate
from auditor.notation import (
    Apply,
    Computation,
    Const,
    Index,
    Order,
    Read,
    Reduce,
    Scan,
    Symbol,
    Term,
    Trace,
    Value,
    children,
)

__all__ = ["CannotEvaluate", "Evaluator", "evaluate", "evaluate_each", "evaluate_outputs"]

Array = np.ndarray[Any, Any]

Bound = Array | tuple[Array, ...]
"""What an index stands for: one array, or for a group one for each of its axes."""


def evaluate(
    what: Value | Term,
    env: Mapping[Value, Any],
    sizes: Mapping[Symbol, int] | None = None,
    *,
    axes: tuple[Index, ...] = (),
    groups: Mapping[Index, tuple[int, ...]] | None = None,
    functions: Mapping[str, Callable[..., Any]] | None = None,
    casts: bool = False,
    most: tuple[int, ...] | None = None,
) -> Array:
    """The array that a value is, or that a term is over ``axes``: of each at its first places
    alone, as many as ``most`` says.

    ``groups`` gives the extents of the axes that a group index stands for; ``functions`` the
    meaning of ``call:<name>``. Casts between floating types are rounding and are skipped unless
    ``casts`` is set; casts to integers and booleans change the value and are always made.
    """
    evaluator = Evaluator(env, sizes or {}, groups or {}, functions or {}, casts)
    if isinstance(what, Value):
        return evaluator.value(what)
    return evaluator.over(what, axes, _Scope({}, 0), most)


def evaluate_each(
    terms: Iterable[tuple[Term, tuple[Index, ...]]],
    env: Mapping[Value, Any],
    sizes: Mapping[Symbol, int] | None = None,
    *,
    groups: Mapping[Index, tuple[int, ...]] | None = None,
    functions: Mapping[str, Callable[..., Any]] | None = None,
) -> Iterator[Array]:
    """The arrays that several terms are, each over axes of its own, as they are asked for; a loop's
    history is run once for all of them."""
    evaluator = Evaluator(env, sizes or {}, groups or {}, functions or {})
    for term, axes in terms:
        yield evaluator.over(term, axes, _Scope({}, 0))


def evaluate_outputs(
    computation: Computation,
    env: Mapping[Value, Any],
    sizes: Mapping[Symbol, int] | None = None,
    groups: Mapping[Index, tuple[int, ...]] | None = None,
) -> list[Array]:
    """All outputs of a computation; a loop's history is run once for all of them."""
    evaluator = Evaluator(env, sizes or {}, groups or {})
    return [evaluator.value(value) for value in computation.outputs]


@dataclass
class _State:
    """A carried value during a run: its own axes first, then the dimensions in scope outside."""

    array: Array
    outer: int


@dataclass
class _Scope:
    """The indices and states that are bound, and the number of dimensions in use."""

    bound: dict[Index, Bound]
    depth: int
    states: dict[Value, _State] = field(default_factory=dict)
    memo: dict[Term, Array] = field(default_factory=dict)
    histories: dict[Scan, tuple[list[Array], int]] = field(default_factory=dict)

    def inside(self, bound: Mapping[Index, Bound], depth: int) -> _Scope:
        return _Scope({**self.bound, **bound}, depth, self.states)


@dataclass
class Evaluator:
    """One run; what is computed once is kept between calls."""

    env: Mapping[Value, Any]
    sizes: Mapping[Symbol, int]
    groups: Mapping[Index, tuple[int, ...]] = field(default_factory=dict)
    functions: Mapping[str, Callable[..., Any]] = field(default_factory=dict)
    casts: bool = False
    _arrays: dict[Value, Array] = field(default_factory=dict)
    _closed: dict[Value, bool] = field(default_factory=dict)
    _histories: dict[Scan, tuple[list[Array], int]] = field(default_factory=dict)
    _running: set[Scan] = field(default_factory=set)

    def value(self, value: Value) -> Array:
        """The whole array of a value that depends on nothing but its axes."""
        if value in self.env:
            return np.asarray(self.env[value])
        if value not in self._arrays:
            if value.body is None:
                raise CannotEvaluate(f"no array is given for '{value.name}'")
            self._arrays[value] = self.over(value.body, value.axes, _Scope({}, 0))
        return self._arrays[value]

    def over(
        self,
        term: Term,
        axes: tuple[Index, ...],
        scope: _Scope,
        most: tuple[int, ...] | None = None,
    ) -> Array:
        """``term`` as an array: one dimension for each axis, then the dimensions in scope."""
        bound, extents = self._dimensions(axes, scope, most)
        array = self.term(term, scope.inside(bound, scope.depth + len(extents)))
        outer = array.shape[len(array.shape) - scope.depth :] if scope.depth else ()
        if scope.depth and array.ndim < scope.depth:
            outer = (1,) * (scope.depth - array.ndim) + array.shape
        full = np.broadcast_to(array, (*reversed(extents), *outer))
        order = tuple(reversed(range(len(extents))))
        return full.transpose(*order, *range(len(extents), full.ndim))

    def _dimensions(
        self, axes: tuple[Index, ...], scope: _Scope, most: tuple[int, ...] | None = None
    ) -> tuple[dict[Index, Bound], list[int]]:
        """Bind each axis to a new dimension; the first axis gets the innermost one."""
        bound: dict[Index, Bound] = {}
        extents: list[int] = []
        for place, axis in enumerate(axes):
            sizes = self._group(axis) if axis.group else (self._extent(axis, scope),)
            if most is not None:
                sizes = tuple(min(size, most[place]) for size in sizes)
            arrays = []
            for size in sizes:
                arrays.append(_along(size, scope.depth + len(extents)))
                extents.append(size)
            bound[axis] = tuple(arrays) if axis.group else arrays[0]
        return bound, extents

    def _group(self, index: Index) -> tuple[int, ...]:
        if index not in self.groups:
            raise CannotEvaluate(f"the axes that the group '{index.name}' stands for are unknown")
        return self.groups[index]

    def _extent(self, index: Index, scope: _Scope) -> int:
        """The largest extent; a reduction masks what an extent that varies leaves out."""
        extent = self.term(index.extent, scope)
        if not np.isfinite(extent).all():
            raise CannotEvaluate(f"the axis '{index.name}' has no length")
        return max(int(extent.max()), 0) if extent.size else 0

    def term(self, term: Term, scope: _Scope) -> Array:
        known = scope.memo.get(term)
        if known is None:
            known = scope.memo[term] = np.asarray(self._compute(term, scope))
        return known

    def _compute(self, term: Term, scope: _Scope) -> Array:
        if isinstance(term, Const):
            return np.asarray(term.value)
        if isinstance(term, Symbol):
            if term not in self.sizes:
                raise CannotEvaluate(f"the extent '{term.name}' is unknown")
            return np.asarray(self.sizes[term])
        if isinstance(term, Index):
            bound = scope.bound.get(term)
            if bound is None or isinstance(bound, tuple):
                raise CannotEvaluate(f"the index '{term.name}' is not bound to one axis")
            return bound
        if isinstance(term, Apply):
            args = [self.term(arg, scope) for arg in term.args]
            _check_size(args)
            return apply(term.op, args, self.functions, self.casts)
        if isinstance(term, Read):
            return self._read(term, scope)
        if isinstance(term, Reduce):
            body, inside = self._along_new(term.index, term.body, scope)
            return reduce(term.op, body, inside)
        if isinstance(term, Order):
            return self._order(term, scope)
        assert isinstance(term, Trace)
        return self._trace(term, scope)

    def _along_new(self, index: Index, body: Term, scope: _Scope) -> tuple[Array, Array | None]:
        """``body`` with ``index`` as its first dimension, and where that dimension is in range."""
        bound, extents = self._dimensions((index,), scope)
        array = self.term(body, scope.inside(bound, scope.depth + len(extents)))
        target = scope.depth + len(extents)
        array = array.reshape((1,) * (target - array.ndim) + array.shape)
        array = np.broadcast_to(array, (*reversed(extents), *array.shape[len(extents) :]))
        _check_size([array])
        if index.group:
            cells = math.prod(array.shape[: len(extents)])
            return array.reshape(cells, *array.shape[len(extents) :]), None
        extent = self.term(index.extent, scope)
        if extent.size == 1 or (extent == extents[0]).all():
            return array, None
        place = bound[index]
        assert not isinstance(place, tuple)
        return array, place < extent

    def _order(self, term: Order, scope: _Scope) -> Array:
        body, inside = self._along_new(term.index, term.body, scope)
        if inside is not None:
            raise CannotEvaluate("an ordering over an axis whose extent varies")
        if term.descending:
            last = body.shape[0] - 1
            order = last - np.argsort(body[::-1], axis=0, kind="stable")[::-1]
        else:
            order = np.argsort(body, axis=0, kind="stable")
        chosen = order if term.what == "indices" else np.take_along_axis(body, order, 0)
        return _gather(chosen, [self.term(term.rank, scope)], scope.depth)

    def _subs(self, subs: tuple[Term, ...], scope: _Scope) -> list[Array]:
        arrays: list[Array] = []
        for sub in subs:
            if isinstance(sub, Index) and sub.group:
                bound = scope.bound.get(sub)
                if not isinstance(bound, tuple):
                    raise CannotEvaluate(f"the group '{sub.name}' is not bound")
                arrays.extend(bound)
            else:
                arrays.append(self.term(sub, scope))
        return arrays

    def _read(self, read: Read, scope: _Scope) -> Array:
        value = read.value
        subs = self._subs(read.subs, scope)
        state = scope.states.get(value)
        if state is not None:
            return _gather(state.array, subs, state.outer, read.aligned)
        if value in self.env or self._is_closed(value):
            return _gather(self.value(value), subs, 0, read.aligned)
        if value.body is None:
            raise CannotEvaluate(f"no array is given for '{value.name}'")
        return self._in_place(value, subs, read.aligned, scope)

    def _in_place(self, value: Value, subs: list[Array], aligned: bool, scope: _Scope) -> Array:
        """The body of ``value`` with its axes bound to the places that are read."""
        assert value.body is not None
        extents: list[int] = []
        for axis in value.axes:
            extents.extend(self._group(axis) if axis.group else (self._extent(axis, scope),))
        if aligned:
            subs = subs[len(subs) - len(extents) :] if extents else []
            subs = [
                np.zeros((), int) if size == 1 else sub
                for sub, size in zip(subs, extents, strict=True)
            ]
        if len(subs) != len(extents):
            raise CannotEvaluate(f"'{value.name}' is read with {len(subs)} subscripts")
        bound: dict[Index, Bound] = {}
        place = 0
        for axis in value.axes:
            if axis.group:
                count = len(self._group(axis))
                bound[axis] = tuple(subs[place : place + count])
                place += count
            else:
                bound[axis] = subs[place]
                place += 1
        return self.term(value.body, scope.inside(bound, scope.depth))

    def _is_closed(self, value: Value) -> bool:
        known = self._closed.get(value)
        if known is None:
            self._closed[value] = value.body is None  # cuts cycles through scans
            known = value.body is not None and self._closed_term(
                value.body, frozenset(value.axes), frozenset()
            )
            self._closed[value] = known
        return known

    def _closed_term(self, term: Term, bound: frozenset[Index], states: frozenset[Value]) -> bool:
        """Does ``term`` mention only these indices, and no state but these?"""
        seen: set[tuple[Term, frozenset[Index]]] = set()
        stack = [(term, bound)]
        while stack:
            node, inside = stack.pop()
            if (node, inside) in seen:
                continue
            seen.add((node, inside))
            if isinstance(node, Index):
                if node not in inside:
                    return False
            elif isinstance(node, (Reduce, Order)):
                stack.append((node.index.extent, inside))
                stack.append((node.body, inside | {node.index}))
                if isinstance(node, Order):
                    stack.append((node.rank, inside))
                continue
            elif isinstance(node, Read):
                read = node.value
                if read in states or read in self.env:
                    pass
                elif read.kind == "state" or not (
                    read.body is None
                    or self._is_closed(read)
                    or self._closed_term(read.body, inside | set(read.axes), states)
                ):
                    return False
            elif isinstance(node, Trace) and not self._closed_scan(node.scan, inside, states):
                return False
            stack.extend((part, inside) for part in children(node))
        return True

    def _closed_scan(self, scan: Scan, bound: frozenset[Index], states: frozenset[Value]) -> bool:
        mine = states | {carry.state for carry in scan.carries}
        return self._closed_term(scan.step.extent, bound, states) and all(
            self._closed_term(carry.init, bound | set(carry.state.axes), states)
            and self._closed_term(carry.update, bound | {scan.step} | set(carry.state.axes), mine)
            for carry in scan.carries
        )

    def _trace(self, trace: Trace, scope: _Scope) -> Array:
        scan = trace.scan
        found = self._histories.get(scan) or scope.histories.get(scan)
        if found is None:
            if scan in self._running:
                raise CannotEvaluate("a loop reads its own history")
            self._running.add(scan)
            try:
                if self._closed_scan(scan, frozenset(), frozenset()):
                    found = self._histories[scan] = (self._run(scan, _Scope({}, 0)), 0)
                else:
                    found = scope.histories[scan] = (self._run(scan, scope), scope.depth)
            finally:
                self._running.discard(scan)
        history, outer = found
        step = self.term(trace.step, scope) + 1
        return _gather(history[trace.slot], [step, *self._subs(trace.subs, scope)], outer)

    def _run(self, scan: Scan, scope: _Scope) -> list[Array]:
        """Each carried value after every step, the initial one first."""
        extent = self.term(scan.step.extent, scope)
        steps = max(int(extent.max()), 0) if extent.size else 0
        if steps > MOST_STEPS:
            raise CannotEvaluate("the code states more steps than are tried")
        current = [self.over(c.init, c.state.axes, scope) for c in scan.carries]
        history = [[array] for array in current]
        for step in range(steps):
            states = {
                carry.state: _State(array, scope.depth)
                for carry, array in zip(scan.carries, current, strict=True)
            }
            inside = _Scope(
                {**scope.bound, scan.step: np.asarray(step)},
                scope.depth,
                {**scope.states, **states},
            )
            updated = [self.over(c.update, c.state.axes, inside) for c in scan.carries]
            if extent.size > 1:
                updated = [
                    np.where(step < extent, new, old)
                    for new, old in zip(updated, current, strict=True)
                ]
            current = updated
            for slot, array in enumerate(current):
                history[slot].append(array)
        return [np.stack(np.broadcast_arrays(*arrays)) for arrays in history]


def _check_size(arrays: list[Array]) -> None:
    """Raise where what is broadcast together is larger than a trial may be: code can state sizes at
    which it was never meant to be run for a proof."""
    if math.prod(array.size for array in arrays) <= MOST_ELEMENTS:
        return
    if math.prod(np.broadcast_shapes(*(array.shape for array in arrays))) > MOST_ELEMENTS:
        raise CannotEvaluate("the sizes that the code states are too large to try")


def _along(size: int, place: int) -> Array:
    """0 .. size - 1 along the ``place``-th dimension from the right."""
    return np.arange(size).reshape((size, *(1,) * place))


def _gather(array: Array, subs: list[Array], outer: int, aligned: bool = False) -> Array:
    """``array`` at ``subs``; its last ``outer`` dimensions pair with those in scope."""
    own = array.ndim - outer
    if aligned:
        if len(subs) < own:
            raise CannotEvaluate(f"{len(subs)} subscripts for an array with {own} axes")
        subs = [
            np.zeros((), int) if array.shape[axis] == 1 else sub
            for axis, sub in enumerate(subs[len(subs) - own :])
        ]
    if len(subs) != own:
        raise CannotEvaluate(f"{len(subs)} subscripts for an array with {own} axes")
    places: list[Array] = []
    valid: list[Array] = []
    for axis, sub in enumerate(subs):
        sub = np.asarray(sub)
        if sub.dtype.kind not in "iub":
            if sub.dtype.kind != "f" or (sub != np.floor(sub)).any():
                raise CannotEvaluate("a subscript is not an integer")
            sub = sub.astype(np.int64)
        size = array.shape[axis]
        within = (sub >= 0) & (sub < size)
        if not within.all():
            valid.append(within)
            sub = np.clip(sub, 0, max(size - 1, 0))
        places.append(sub)
    for axis in range(own, array.ndim):
        size = array.shape[axis]
        place = array.ndim - 1 - axis
        places.append(np.zeros((), int) if size == 1 else _along(size, place))
    _check_size(places)
    if 0 in array.shape:
        shape = np.broadcast_shapes(*(place.shape for place in places))
        return np.full(shape, np.nan)
    found: Array = np.asarray(array[tuple(places)])
    if valid and found.dtype.kind in "fc":  # only now: together they are as large as the result
        return np.where(folded(np.logical_and, valid), found, np.nan)
    return found
