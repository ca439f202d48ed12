"""Small concrete inputs for a computation, to refute what does not hold by running it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from auditor.algebra.evaluate import CannotEvaluate, evaluate
from auditor.notation import (
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
    walk,
)

Array = np.ndarray[Any, Any]
_WHOLE = frozenset(("int", "int8", "int16", "int32", "int64", "uint8", "long"))


@dataclass(frozen=True)
class Inputs:
    """Arrays for the leaves of a computation and sizes for its extents."""

    env: dict[Value, Array]
    sizes: dict[Symbol, int]


def leaves(terms: Iterable[Term]) -> tuple[list[Value], list[Symbol]]:
    """The undefined values and the symbols that terms rest on, in order of appearance."""
    values: dict[Value, None] = {}
    symbols: dict[Symbol, None] = {}
    for node in everything(terms):
        if isinstance(node, Symbol):
            symbols[node] = None
        elif isinstance(node, Read) and node.value.body is None and node.value.kind != "state":
            values[node.value] = None
    return list(values), list(symbols)


def everything(terms: Iterable[Term]) -> Iterator[Term]:
    """Every subterm, through definitions, loops and extents; each once."""
    seen: set[Term] = set()
    done: set[Value | Scan] = set()
    stack = list(terms)
    while stack:
        for node in walk(stack.pop()):
            if node in seen:
                continue
            seen.add(node)
            yield node
            if isinstance(node, Index):
                stack.append(node.extent)
            elif isinstance(node, (Reduce, Order)):
                stack.append(node.index)
            elif isinstance(node, Read) and node.value not in done:
                done.add(node.value)
                stack.extend(node.value.axes)
                if node.value.body is not None:
                    stack.append(node.value.body)
            elif isinstance(node, Trace) and node.scan not in done:
                done.add(node.scan)
                stack.append(node.scan.step)
                for carry in node.scan.carries:
                    stack.extend((*carry.state.axes, carry.init, carry.update))


def inputs(
    terms: Iterable[Term], seed: int, size: int = 3, sizes: dict[Symbol, int] | None = None
) -> Inputs:
    """Random inputs; every extent that is not given has ``size``."""
    values, symbols = leaves(terms)
    random = np.random.default_rng(seed)
    known = dict.fromkeys(symbols, size) | (sizes or {})
    env: dict[Value, Array] = {}
    for value in values:
        shape = tuple(_extent(axis, known) for axis in value.axes)
        env[value] = _array(random, value, shape)
    return Inputs(env, known)


def _array(random: np.random.Generator, value: Value, shape: tuple[int, ...]) -> Array:
    if value.dtype == "bool":
        return random.integers(0, 2, size=shape).astype(bool)
    if value.dtype in _WHOLE:
        return random.integers(0, 3, size=shape)
    # away from zero, so that quotients stay tame
    signs = random.choice([-1.0, 1.0], size=shape)
    return np.asarray(random.uniform(0.25, 1.5, size=shape) * signs)


def _extent(axis: Index, sizes: dict[Symbol, int]) -> int:
    if axis.group:
        raise CannotEvaluate(f"the axes that the group '{axis.name}' stands for are unknown")
    if isinstance(axis.extent, Const) and isinstance(axis.extent.value, int):
        return axis.extent.value
    return int(evaluate(axis.extent, {}, sizes))
