"""Softmax and logsumexp over arrays of NumPy: arrays in, an array out, without gradients.

What NumPy does by hand is kept: its dtypes (exponentials of short integers are of short floats),
the order of the result's axes in memory, a scalar where a row is. float32 and float64 run in C, in
one function for what NumPy reads and writes in four passes; lists, subclasses, tables, other dtypes
and arrays so small that the calls are all that they take run in NumPy.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from . import native
from .axes import Axes, side_by_side

FEW_ENTRIES = 8192
"""Up to here NumPy's calls take less time, about 15 microseconds and 4 nanoseconds an entry."""

FEW_COLUMNS = 8
"""Fewer side by side leave most lanes empty: they are laid out as rows."""

SHORT_ROW = 32
"""Shorter rows do so as well, and NumPy takes them."""

_FAST = (np.dtype(np.float32), np.dtype(np.float64))


def reference(x: Any, dim: Axes) -> Any:
    """What `online_softmax` computes of arrays, in three passes."""
    x = _numbers(x)
    weights = np.exp(x - _beside(x.max(axis=dim), x, dim))
    return weights / _beside(weights.sum(axis=dim), x, dim)


def logsumexp_reference(x: Any, dim: Axes, keepdim: bool = False) -> Any:
    """What `logsumexp` computes of arrays, in three passes."""
    x = _numbers(x)
    m = x.max(axis=dim)
    if type(x) is np.ndarray and x.dtype.kind == "f" and not np.isfinite(m).all():
        m = np.where(np.isfinite(m), m, m.dtype.type(0))[()]  # inf - inf is no number
    found = np.log(np.exp(x - _beside(m, x, dim)).sum(axis=dim)) + m
    return _kept(found, x, dim) if keepdim else found


def online_softmax(x: Any, dim: Axes) -> Any:
    """exp(x - max) / sum(exp(x - max)) along `dim`.

    Raises:
        What `reference` raises: whatever is not of float32 or float64 is handed to it.
    """
    if (parted := _as_one(x, dim)) is not None:
        rows, axis = parted
        return online_softmax(rows, axis).reshape(x.shape)
    if not _runs_in_c(x, dim):
        return reference(x, dim)
    dim %= x.ndim
    order = _order(x, dim)
    rows = _rows(x, dim, order)
    out = np.empty_like(x)
    turned = out.transpose(order)
    there = turned if turned.flags.c_contiguous else np.empty(turned.shape, x.dtype)
    native.fold_exponentials(rows, there.reshape(rows.shape), None)
    if there is not turned:
        turned[...] = there
    return out


def logsumexp(x: Any, dim: Axes, keepdim: bool = False) -> Any:
    """log(sum(exp(x))) along `dim`, without overflow.

    Raises:
        What `logsumexp_reference` raises: whatever is not of float32 or float64 is handed to it.
    """
    if (parted := _as_one(x, dim)) is not None:
        found = logsumexp(*parted)
        return _kept(found, x, dim) if keepdim else found
    if not _runs_in_c(x, dim):
        return logsumexp_reference(x, dim, keepdim)
    order = _order(x, dim % x.ndim)
    rows = _rows(x, dim % x.ndim, order)
    order.remove(dim % x.ndim)
    found, shifts = (np.empty([x.shape[axis] for axis in order], x.dtype) for _ in range(2))
    outside = rows.shape[::2]
    native.fold_exponentials(rows, found.reshape(outside), shifts.reshape(outside))
    np.log(found, out=found)
    found += shifts
    found = found.transpose(np.argsort(order))
    return np.expand_dims(found, dim) if keepdim else found[()]


def _numbers(x: Any) -> Any:
    """Something with arithmetic, whose differences do not wrap around."""
    if isinstance(x, (list, tuple, int, float, complex)):
        x = np.asanyarray(x)
    whole = isinstance(x, (np.ndarray, np.generic)) and x.dtype.kind in "iub"
    return x.astype(np.exp(np.empty(0, x.dtype)).dtype) if whole else x


def _kept(found: Any, x: Any, dim: Axes) -> Any:
    """What was found along `dim`, with these axes of extent 1; a number stays one."""
    if x.ndim == 0:
        return found
    return np.reshape(found, (1,) * x.ndim) if dim is None else np.expand_dims(found, dim)


def _as_one(x: Any, dim: Axes) -> tuple[np.ndarray, int] | None:
    """A view of `x` in which several axes are one, and which, where that makes a fast case."""
    if isinstance(dim, int) or type(x) is not np.ndarray or not x.flags.c_contiguous:
        return None
    found = side_by_side(dim, x.ndim)
    if found is None or not x.size:
        return None
    first, last = found
    rows = x.reshape(*x.shape[:first], -1, *x.shape[last + 1 :])
    return (rows, first) if _runs_in_c(rows, first) else None


def _beside(found: Any, x: Any, dim: Axes) -> Any:
    """What was found along `dim`, as it meets `x`; the first axis need not be there for that, and
    tables of pandas cannot have it."""
    if dim is None or x.ndim == 0 or dim in (0, -x.ndim):
        return found
    return found[..., None] if dim == -1 else np.expand_dims(found, dim)


def _runs_in_c(x: Any, dim: Axes) -> bool:
    """Whether `x` is an array that the C library takes, and takes faster."""
    if type(x) is not np.ndarray or x.size <= FEW_ENTRIES or x.dtype not in _FAST:
        return False
    if type(dim) is not int or not -x.ndim <= dim < x.ndim or native.LIBRARY is None:
        return False
    if 0 in x.strides or not x.flags.aligned:  # broadcast ones have no order in memory
        return False
    columns = _columns(x, dim % x.ndim, _order(x, dim % x.ndim))
    return columns > 1 or x.shape[dim] >= SHORT_ROW


def _order(x: np.ndarray, dim: int) -> list[int]:
    """The axes as they lie in memory; `dim` last where few columns would lie side by side."""
    order = sorted(range(x.ndim), key=lambda axis: -abs(x.strides[axis]))
    if 1 < _columns(x, dim, order) < FEW_COLUMNS:
        order.remove(dim)
        order.append(dim)
    return order


def _columns(x: np.ndarray, dim: int, order: list[int]) -> int:
    """How many entries lie side by side."""
    return math.prod(x.shape[axis] for axis in order[order.index(dim) + 1 :])


def _rows(x: np.ndarray, dim: int, order: list[int]) -> np.ndarray:
    """`x` as (outer, length, inner), dense, with `dim` in the middle."""
    place = order.index(dim)
    outer = math.prod(x.shape[axis] for axis in order[:place])
    return np.ascontiguousarray(x.transpose(order)).reshape(outer, x.shape[dim], -1)
