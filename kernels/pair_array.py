"""One element for the code that computes with it, many in memory.

A `PairArray` holds the values of many pairs; the first `lead` axes count the pairs, those behind
are the axes of one value. Operators and functions of NumPy see only the latter: an axis that one
operand lacks is inserted behind the pairs. What has no meaning here raises `Unsupported`, and what
would need a single value (a branch, a number for `math`) does so too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np


class Unsupported(TypeError):
    """An operation on a single element that has none here on many."""


class PairArray(np.lib.mixins.NDArrayOperatorsMixin):
    """Values of pairs. `values`: (*pairs, ...) with `lead` axes of pairs."""

    def __init__(self, values: np.ndarray, lead: int) -> None:
        self.values = values
        self.lead = lead

    @staticmethod
    def spread(value: Any, lead: tuple[int, ...]) -> np.ndarray:
        """A value, or one for each pair, as an array over all pairs."""
        if isinstance(value, PairArray):
            values = value.values
            return np.broadcast_to(values, lead + values.shape[len(lead) :])
        alone = np.asarray(value)
        return np.broadcast_to(alone, lead + alone.shape)

    # -- what a value looks like

    @property
    def shape(self) -> tuple[int, ...]:
        return self.values.shape[self.lead :]

    @property
    def ndim(self) -> int:
        return self.values.ndim - self.lead

    @property
    def dtype(self) -> np.dtype[Any]:
        return self.values.dtype

    def __len__(self) -> int:
        if not self.ndim:
            raise Unsupported("a number has no length")
        return self.shape[0]

    def __iter__(self) -> Iterator[PairArray]:
        return (self[place] for place in range(len(self)))

    def __getitem__(self, places: Any) -> PairArray:
        places = places if isinstance(places, tuple) else (places,)
        if not all(isinstance(place, (int, slice, type(None), type(...))) for place in places):
            raise Unsupported("an element at a place that depends on data")
        if not any(place is ... for place in places):
            places = (*places, ...)
        taken = sum(isinstance(place, (int, slice)) for place in places)
        if taken > self.ndim:
            raise IndexError("too many indices")
        return PairArray(self.values[(slice(None),) * self.lead + places], self.lead)

    def _single(self, *_: Any, **__: Any) -> Any:
        raise Unsupported("a single value is asked for")

    __bool__ = __float__ = __int__ = __index__ = __complex__ = __array__ = __setitem__ = _single

    # -- functions

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **words: Any) -> Any:
        into = words.pop("out", (None,))[0]
        if method != "__call__" or words:
            raise Unsupported(f"{ufunc.__name__}.{method}")
        if into is not None:
            return self._written(into, ufunc(*inputs))
        if ufunc is np.matmul:
            return _product(*inputs)
        if ufunc.signature is not None:
            raise Unsupported(ufunc.__name__)
        found = ufunc(*_aligned(inputs))
        if isinstance(found, tuple):
            return tuple(PairArray(each, self.lead) for each in found)
        return PairArray(found, self.lead)

    @staticmethod
    def _written(into: Any, found: Any) -> PairArray:
        """`r += e`. `into` is a name's own: what `pair` is given is never written to."""
        same = isinstance(into, PairArray) and isinstance(found, PairArray)
        if not same or into.shape != found.shape or into.dtype != found.dtype:
            raise Unsupported("a value that changes its shape or dtype")
        into.values = found.values
        return into

    def __array_function__(
        self, function: Callable[..., Any], types: Any, args: Any, words: Any
    ) -> Any:
        known = _FUNCTIONS.get(function)
        if known is None:
            raise Unsupported(getattr(function, "__name__", "a function"))
        return known(*args, **words)

    def _reduced(self, name: str, axis: Any = None, keepdims: bool = False) -> PairArray:
        axes = range(self.ndim) if axis is None else axis if isinstance(axis, tuple) else (axis,)
        places = tuple(_place(each, self.ndim) + self.lead for each in axes)
        return PairArray(getattr(self.values, name)(axis=places, keepdims=keepdims), self.lead)

    def sum(self, axis: Any = None, keepdims: bool = False) -> PairArray:
        return self._reduced("sum", axis, keepdims)

    def mean(self, axis: Any = None, keepdims: bool = False) -> PairArray:
        return self._reduced("mean", axis, keepdims)

    def prod(self, axis: Any = None, keepdims: bool = False) -> PairArray:
        return self._reduced("prod", axis, keepdims)

    def max(self, axis: Any = None, keepdims: bool = False) -> PairArray:
        return self._reduced("max", axis, keepdims)

    def min(self, axis: Any = None, keepdims: bool = False) -> PairArray:
        return self._reduced("min", axis, keepdims)

    def dot(self, other: Any) -> Any:
        return _dot(self, other)

    def copy(self) -> PairArray:
        return PairArray(self.values.copy(), self.lead)

    def astype(self, dtype: Any) -> PairArray:
        return PairArray(self.values.astype(dtype), self.lead)


def _place(axis: Any, ndim: int) -> int:
    if not isinstance(axis, int) or not -ndim <= axis < ndim:
        raise Unsupported("an axis that a value does not have")
    return axis % ndim


def _lead(inputs: Sequence[Any]) -> int:
    return next(each.lead for each in inputs if isinstance(each, PairArray))


def _aligned(inputs: Sequence[Any]) -> list[Any]:
    """Operands with their values' axes aligned from the right, behind those of the pairs."""
    width = max(np.ndim(each) if not isinstance(each, PairArray) else each.ndim for each in inputs)
    found = []
    for each in inputs:
        if isinstance(each, PairArray):
            ones = (1,) * (width - each.ndim)
            pairs = each.values.shape[: each.lead]
            each = each.values.reshape(pairs + ones + each.shape)
        found.append(each)
    return found


def _values(given: Any, lead: int) -> np.ndarray:
    """An operand with as many axes in front as pairs have."""
    if isinstance(given, PairArray):
        return given.values
    alone = np.asarray(given)
    return alone.reshape((1,) * lead + alone.shape)


def _product(a: Any, b: Any) -> PairArray:
    """Matrices and vectors, the vectors as rows or columns."""
    lead = _lead((a, b))
    x, y = _values(a, lead), _values(b, lead)
    row, column = x.ndim - lead == 1, y.ndim - lead == 1
    if min(x.ndim, y.ndim) == lead:
        raise ValueError("matmul of a number")
    x = x[..., None, :] if row else x
    y = y[..., None] if column else y
    if max(x.ndim, y.ndim) > lead + 2:
        raise Unsupported("a product of more than matrices")
    found = np.matmul(x, y)
    found = found[..., 0] if column else found
    return PairArray(found[..., 0] if row and column else found[..., 0, :] if row else found, lead)


def _ndim(given: Any) -> int:
    return given.ndim if isinstance(given, PairArray) else np.ndim(given)


def _dot(a: Any, b: Any) -> Any:
    if 0 in (_ndim(a), _ndim(b)):
        return np.multiply(a, b)
    if max(_ndim(a), _ndim(b)) > 2:
        raise Unsupported("a product of more than matrices")
    return _product(a, b)


def _norm(x: Any, ord: Any = None, axis: Any = None, keepdims: bool = False) -> Any:
    if ord not in (None, 2) or (axis is None and x.ndim != 1) or np.iscomplexobj(x.values):
        raise Unsupported("another norm")
    if isinstance(axis, tuple) or not np.issubdtype(x.dtype, np.floating):
        raise Unsupported("another norm")
    return np.sqrt((x * x).sum(axis=axis, keepdims=keepdims))


def _where(condition: Any, *choices: Any) -> Any:
    if len(choices) != 2:
        raise Unsupported("places that depend on data")
    lead = _lead((condition, *choices))
    return PairArray(np.where(*_aligned((condition, *choices))), lead)


def _reduction(name: str) -> Callable[..., Any]:
    return lambda x, axis=None, keepdims=False: getattr(x, name)(axis=axis, keepdims=keepdims)


def _stack(parts: Sequence[Any], axis: int = 0) -> PairArray:
    lead = _lead(parts)
    width = {_ndim(each) for each in parts}
    if len(width) != 1 or axis not in (0, -1) or (axis and width != {0}):
        raise Unsupported("a stack of different shapes")
    return PairArray(np.stack(np.broadcast_arrays(*_aligned(parts)), axis=lead), lead)


def _cross(a: Any, b: Any) -> PairArray:
    if (_ndim(a), _ndim(b)) != (1, 1):
        raise Unsupported("a product of more than vectors")
    return PairArray(np.cross(*_aligned((a, b))), _lead((a, b)))


_FUNCTIONS: dict[Any, Callable[..., Any]] = {
    np.sum: _reduction("sum"),
    np.mean: _reduction("mean"),
    np.prod: _reduction("prod"),
    np.max: _reduction("max"),
    np.min: _reduction("min"),
    np.amax: _reduction("max"),
    np.amin: _reduction("min"),
    np.dot: _dot,
    np.inner: lambda a, b: _dot(a, b) if max(_ndim(a), _ndim(b)) < 2 else _dot(a, None),
    np.vdot: lambda a, b: _dot(a, b) if max(_ndim(a), _ndim(b)) < 2 else _dot(a, None),
    np.linalg.norm: _norm,
    np.where: _where,
    np.stack: _stack,
    np.cross: _cross,
}
