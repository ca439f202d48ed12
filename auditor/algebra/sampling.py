"""Small concrete inputs for a computation, to refute what does not hold by running it."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from auditor.algebra.evaluate import evaluate
from auditor.algebra.kinds import UNKNOWN, Kinds
from auditor.algebra.limits import MOST_ELEMENTS, CannotEvaluate
from auditor.algebra.subterms import everything
from auditor.notation import (
    Index,
    Read,
    Symbol,
    Term,
    Value,
)

Array = np.ndarray[Any, Any]
_WHOLE = frozenset(("int", "int8", "int16", "int32", "int64", "uint8", "long"))


@dataclass(frozen=True)
class Inputs:
    """Arrays for the leaves of a computation, sizes for its extents and for its groups; ``kinds``
    says what they are said to hold."""

    env: dict[Value, Array]
    sizes: dict[Symbol, int]
    groups: dict[Index, tuple[int, ...]]
    kinds: Kinds = UNKNOWN


def leaves(terms: Iterable[Term]) -> tuple[list[Value], list[Symbol]]:
    """The undefined values and the symbols that terms rest on, in order of appearance."""
    values: dict[Value, None] = {}
    symbols: dict[Symbol, None] = {}
    for node in everything(terms):
        if isinstance(node, Symbol):
            symbols[node] = None
        elif isinstance(node, Read) and node.value.body is None:
            values[node.value] = None
    return list(values), list(symbols)


def inputs(
    terms: Iterable[Term],
    seed: int,
    size: int = 3,
    sizes: dict[Symbol, int] | None = None,
    kinds: Kinds = UNKNOWN,
) -> Inputs:
    """Random inputs; every extent that is not given has ``size``, every group is one axis of 2.
    Texts, of which all that is asked is which comes first, are numbers of letters.

    Raises ``CannotEvaluate`` where an array is stated to be larger than a trial may be."""
    terms = list(terms)
    values, symbols = leaves(terms)
    random = np.random.default_rng(seed)
    known = dict.fromkeys(symbols, size) | (sizes or {})
    groups: dict[Index, tuple[int, ...]] = {
        node: (2,) for node in everything(terms) if isinstance(node, Index) and node.group
    }
    env: dict[Value, Array] = {}
    sizes_read = {
        inner.value
        for node in everything(terms)
        if isinstance(node, Index)
        for inner in everything([node.extent])
        if isinstance(inner, Read) and not inner.value.axes and inner.value.body is None
    }
    for value in sorted(values, key=lambda value: bool(value.axes)):
        if value in sizes_read:
            env[value] = np.asarray(size)
            continue
        shape: list[int] = []
        for axis in value.axes:
            if axis.group:
                shape += groups.setdefault(axis, (2,))
            else:
                length = float(evaluate(axis.extent, env, known))
                if not math.isfinite(length):
                    raise CannotEvaluate(f"an axis of '{value.name}' has no length")
                shape.append(max(int(length), 0))
        if math.prod(shape) > MOST_ELEMENTS:
            raise CannotEvaluate(f"'{value.name}' is stated to be too large to try")
        made = _array(random, value, tuple(shape))
        if value.name in kinds.whole:
            made = np.round(4 * made)  # as they are drawn there would be few whole ones
        elif value.name in kinds.texts:
            ones = [1 if a.group else n for a, n in zip(value.axes, shape, strict=False)]
            made = np.broadcast_to(random.integers(0, 4, size=ones).astype(float), shape).copy()
        env[value] = made
    return Inputs(env, known, groups, kinds)


def _array(random: np.random.Generator, value: Value, shape: tuple[int, ...]) -> Array:
    if value.dtype == "bool":
        return random.integers(0, 2, size=shape).astype(bool)
    if value.dtype in _WHOLE:
        return random.integers(0, 3, size=shape)
    # away from zero, so that quotients stay tame
    signs = random.choice([-1.0, 1.0], size=shape)
    return np.asarray(random.uniform(0.25, 1.5, size=shape) * signs)
