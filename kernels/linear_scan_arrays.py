"""The linear recurrence over arrays of NumPy: arrays in, an array out, without gradients.

What a loop of NumPy does is kept: its dtypes (NumPy 2's: a number of Python takes that of the array
that it meets, everything else promotes), its last state, a scalar where rows are, and its warnings:
what overflows in the scan overflows once more in one step over all rows, under the error state of
the caller. float32 and float64 run in the operator's C or torch, on the arrays' own memory where
torch can look at it; whatever else there is runs as the loop that it replaces.
"""

from __future__ import annotations

import functools
import math
from typing import Any

import numpy as np
import torch
from torch import Tensor

from . import native

Operand = np.ndarray | np.generic | complex

SHORT_SEQUENCE = 32
"""Up to here the plain loop is the fastest: a call costs as much as so many steps."""

_FAST = (np.dtype(np.float32), np.dtype(np.float64))
_REAL = "fiub"


def are_arrays(*operands: Any) -> bool:
    """Whether something among the operands is NumPy's and nothing is torch's."""
    numpy = any(isinstance(each, (np.ndarray, np.generic)) for each in operands)
    return numpy and not any(isinstance(each, Tensor) for each in operands)


def reference(
    a: Operand,
    b: np.ndarray,
    initial_state: Operand | None = None,
    *,
    dim: int,
    reverse: bool = False,
    output_final_state: bool = False,
) -> Any:
    """What `linear_scan` computes of arrays, one step at a time; without a step the state stays as
    it is."""
    shape = np.broadcast_shapes(np.shape(a), np.shape(b))
    dim = range(len(shape))[dim]
    drives = np.moveaxis(_spread(b, shape), dim, 0)
    h: Any = 0 if initial_state is None else initial_state
    if not len(drives):
        gate = np.zeros((), np.asarray(a).dtype) if np.ndim(a) else a
        with np.errstate(all="ignore"):
            nothing = np.empty(shape, (gate * h + np.zeros((), drives.dtype)).dtype)
        return (nothing, h) if output_final_state else nothing
    gates = np.moveaxis(_spread(a, shape), dim, 0) if np.ndim(a) else (a,) * len(drives)
    order = range(len(drives))
    rows = [h := gates[t] * h + drives[t] for t in (order[::-1] if reverse else order)]
    kept = np.empty((len(rows), *np.shape(h)), np.result_type(rows[0], h))
    for t, row in enumerate(rows[::-1] if reverse else rows):
        kept[t] = row
    out = np.ascontiguousarray(np.moveaxis(kept, 0, dim))
    return (out, h) if output_final_state else out


def linear_scan(
    a: Operand,
    b: np.ndarray,
    initial_state: Operand | None = None,
    *,
    dim: int,
    reverse: bool = False,
    output_final_state: bool = False,
) -> Any:
    """h_t = a_t h_{t-1} + b_t along `dim`, as `auditor.kernels.linear_scan` has it.

    Raises:
        What `reference` raises: whatever is not of float32 or float64 is handed to it.
    """
    a = _wrapped(a, b, initial_state)
    plain = functools.partial(
        reference,
        a,
        b,
        initial_state,
        dim=dim,
        reverse=reverse,
        output_final_state=output_final_state,
    )
    shape, dtype = _laid_out(a, b, initial_state, dim)
    if shape is None or dtype is None or shape[dim] <= SHORT_SEQUENCE or not math.prod(shape):
        return plain()
    dim = range(len(shape))[dim]
    out = np.empty(shape, dtype)
    _run(a, b, initial_state, dim, reverse, out)
    last = out[(slice(None),) * dim + (0 if reverse else -1,)]
    if not (np.isfinite(last).all() if last.ndim else math.isfinite(last)):
        _overflow_again(a, b, initial_state, out, dim, reverse)
    if not output_final_state:
        return out
    return out, last if last.ndim == 0 else last.copy()


def _wrapped(a: Operand, b: Operand, initial: Operand | None) -> Operand:
    """The factor of a loop that takes off unsigned integers: a negative one wraps around as their
    differences do."""
    if not isinstance(a, int) or a >= 0 or not isinstance(b, np.ndarray) or b.dtype.kind != "u":
        return a
    if not isinstance(initial, (int, type(None))) and np.asarray(initial).dtype != b.dtype:
        return a
    return b.dtype.type(a % (1 << 8 * b.dtype.itemsize))


def _spread(operand: Operand, shape: tuple[int, ...]) -> np.ndarray:
    array = np.asanyarray(operand)
    return array if array.shape == shape else np.broadcast_to(array, shape, subok=True)


def _laid_out(
    a: Operand, b: Operand, initial: Operand | None, dim: int
) -> tuple[tuple[int, ...] | None, np.dtype | None]:
    """The shape of the result and its dtype, None where the plain loop must run."""
    numpy = []
    for each in (a, b, initial):
        if isinstance(each, (np.ndarray, np.generic)):
            if isinstance(each, np.ndarray) and type(each) is not np.ndarray:
                return None, None  # masks, units and matrices have arithmetic of their own
            numpy.append(each.dtype)
        elif each is not None and not isinstance(each, (int, float)):
            return None, None
    shape = np.shape(b)
    try:
        if np.ndim(a) and np.shape(a) != shape:
            shape = np.broadcast_shapes(np.shape(a), shape)
        rest = (*shape[: dim % len(shape)], *shape[dim % len(shape) + 1 :])
        if not -len(shape) <= dim < len(shape):
            return None, None
        if np.ndim(initial) and np.broadcast_shapes(np.shape(initial), rest) != rest:
            return None, None
    except (ValueError, ZeroDivisionError):
        return None, None
    if all(dtype is numpy[0] for dtype in numpy):
        return shape, numpy[0] if numpy[0] in _FAST else _of_steps(a, b, initial)
    if np.__version__.startswith("1."):
        return None, None  # what a scalar widens depends on its value there
    return shape, _of_steps(a, b, initial)


def _of_steps(a: Operand, b: Operand, initial: Operand | None) -> np.dtype | None:
    """The dtype of all steps of the loop, where each is computed in it; None where not."""

    def example(operand: Operand) -> Any:
        if not isinstance(operand, (np.ndarray, np.generic)):
            return operand
        return np.zeros((), operand.dtype)[()] if operand.dtype.kind in _REAL else None

    gate, drive, start = example(a), example(b), example(0 if initial is None else initial)
    if any(each is None for each in (gate, drive, start)):
        return None
    with np.errstate(all="ignore"):
        product = gate * start
        first = product + drive
        dtype = (gate * first + drive).dtype
    if dtype not in _FAST or first.dtype != dtype:
        return None
    zero = not isinstance(start, np.generic) and start == 0
    alike = not isinstance(product, np.generic) or product.dtype == dtype
    return dtype if alike or zero else None


def _run(
    a: Operand, b: Operand, initial: Operand | None, dim: int, reverse: bool, out: np.ndarray
) -> None:
    """Writes the scan to `out`."""
    shape = out.shape
    columns = (math.prod(shape[:dim]), shape[dim], math.prod(shape[dim + 1 :]))
    rest = (*shape[:dim], *shape[dim + 1 :])
    gates, drives = (_columns(each, out.dtype, shape, columns) for each in (a, b))
    start = None
    if initial is not None:
        start = _columns(initial, out.dtype, rest, (columns[0], columns[2]))
    made = out.reshape(columns)
    if native.LIBRARY is not None:
        native.scan_arrays(gates, drives, start, made, reverse)
        return
    from .linear_scan import _scan_torch

    tensors = (torch.from_numpy(np.array(each)) for each in (gates, drives))
    gate, drive = (each.expand(columns) for each in tensors)
    begin = None
    if start is not None:
        begin = torch.from_numpy(np.array(start)).expand(columns[0], columns[2])
    _scan_torch(gate, drive, begin, 1, reverse, torch.from_numpy(made))


def _columns(
    operand: Operand, dtype: np.dtype, shape: tuple[int, ...], columns: tuple[int, ...]
) -> np.ndarray:
    """An operand in the shape that the scan runs over, without axes where it is one number: where
    it lies, unless its type or its strides are others than a scan can take."""
    array = np.asarray(operand)
    if array.dtype not in _FAST or any(stride % array.itemsize for stride in array.strides):
        array = array.astype(dtype)
    if array.ndim == 0:
        return array
    return (array if array.shape == shape else np.broadcast_to(array, shape)).reshape(columns)


def _overflow_again(
    a: Operand, b: Operand, initial: Operand | None, out: np.ndarray, dim: int, reverse: bool
) -> None:
    """One step of all rows from the rows before them: it warns, or raises, of what overflowed."""
    before = np.roll(np.moveaxis(out, dim, 0), -1 if reverse else 1, 0)
    before[-1 if reverse else 0] = 0 if initial is None else initial
    _ = a * np.moveaxis(before, 0, dim) + b
