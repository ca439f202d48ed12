"""Squared distances of rows that broadcasting pairs, without their differences in memory.

    out = sum_d (x_d - y_d)^2            or its root

With x of shape (N, 1, D) and y of shape (M, D) the plain code writes N M D differences, squares and
sums them. Here that is done tile by tile, so that sums of whole numbers stay whole: on a GPU in
registers (`distances_triton`), elsewhere in the cache, but that roots, and gradients, are those of
`torch.cdist` there, which sums each entry as it is computed and is told not to take its short cut:
|x|^2 - 2 x.y + |y|^2 is one product of matrices and ten times as fast, but wrong by up to (D + 2)
eps (|x|^2 + |y|^2), of which nothing need be left where two rows are close. Of a sum of squared
differences each entry is wrong by (D + 4) eps of itself.

The axes along which only x, only y or both have entries are read off the shapes: the first are
rows, the second columns, and the third stand in front of both. What has no rows or no columns is
no table of pairs, and the plain code runs.

`torch.cdist` has neither half types, which are computed in float32 here, nor second derivatives:
a gradient that is differentiated once more is that of the reference.

Source: Higham, "Accuracy and Stability of Numerical Algorithms" (2002), sections 1.7 and 3.1.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor

from .distances_triton import distances, pulls
from .gradients import differentiable_gradients, private
from .precision import accumulator
from .surroundings import autocasting, traced
from .triton_runtime import usable

__all__ = ["TOLERANCE", "reference", "squared_distances"]

TOLERANCE: dict[torch.dtype, tuple[float, float]] = {
    torch.float64: (1e-13, 1e-12),
    torch.float32: (1e-5, 1e-5),
    torch.float16: (2e-3, 4e-3),
    torch.bfloat16: (1e-2, 3e-2),
}
"""Largest error against float64 relative to max|reference|: (outputs, gradients).

Half types are rounded once, at the end; the plain code, which runs where differences are few,
rounds each difference and each square.
"""

FEW_DIFFERENCES = 1 << 20
"""So many are computed at once, in less time than tile by tile."""

MANY_DIFFERENCES, MANY_WITH_GRADIENTS = 1 << 23, 1 << 26
"""So many a GPU computes at once, without and with gradients, in less time than launches of
Triton's take. Read off an H200 (2026-11-27): 8 * 10^6 differences take half as long, 1.7 * 10^7 1.5
times as long as in tiles, 1.3 * 10^8 7 times and 10^9 23 times; with gradients 5 * 10^7 as long,
6.7 * 10^7 1.7 times and 10^9 9 times."""

NARROWEST = 3
"""Entries of a row from which the differences are so many more than the sums that tiles pay."""

_EXACT = "donot_use_mm_for_euclid_dist"
_TILE = {"cpu": 1 << 17, "cuda": 1 << 24}
"""So many differences are in memory at once: those of a CPU stay in its second cache."""

Array = Any
"""A tensor or a NumPy array; both operands of a call are one or the other."""


def reference(x: Array, y: Array, *, dim: int = -1, root: bool = False) -> Array:
    """What `squared_distances` computes: all differences, and the sums of their squares."""
    apart = x - y
    if not root:
        return (apart**2).sum(dim)
    if isinstance(apart, Tensor):
        whole = not (apart.is_floating_point() or apart.is_complex())
        # the norm takes no whole numbers, the root of a sum does
        return (apart**2).sum(dim).sqrt() if whole else torch.linalg.vector_norm(apart, dim=dim)
    return np.linalg.norm(apart, axis=dim)


@dataclass(frozen=True)
class _Table:
    """Where the axes of a result, numbered without the last of the operands, come from: `batch`
    from both, `rows` from one operand, `columns` from the other."""

    shape: tuple[int, ...]
    batch: tuple[int, ...]
    rows: tuple[int, ...]
    columns: tuple[int, ...]

    def sizes(self, axes: tuple[int, ...]) -> list[int]:
        return [self.shape[axis] for axis in axes]

    def laid(self, array: Array, own: tuple[int, ...]) -> Array:
        """An operand as (batch, rows, D) or (batch, columns, D)."""
        width = array.shape[-1]
        array = array.reshape((1,) * (len(self.shape) + 1 - array.ndim) + tuple(array.shape))
        others = tuple(axis for axis in range(len(self.shape)) if axis not in self.batch + own)
        order = (*others, *self.batch, *own, len(self.shape))
        moved = array.permute(order) if isinstance(array, Tensor) else array.transpose(order)
        for _ in others:
            moved = moved[0]
        batch, count = (math.prod(self.sizes(axes)) for axes in (self.batch, own))
        return moved.reshape(batch, count, width)

    def unfolded(self, found: Tensor) -> Tensor:
        """(batch, rows, columns) as the result."""
        order = self.batch + self.rows + self.columns
        apart = found.reshape(self.sizes(order))
        return apart.permute([order.index(axis) for axis in range(len(order))]).contiguous()


def _thin(array: Array, other: Array) -> Array:
    """`array` without the repetitions, along axes of `other` but the last, that it was expanded
    to; with them where a gradient is wanted, of which each repetition has its own."""
    if isinstance(array, Tensor) and array.requires_grad and torch.is_grad_enabled():
        return array
    for behind in range(2, min(array.ndim, other.ndim) + 1):
        repeated = array.shape[-behind] > 1 and not _strides(array)[-behind]
        if repeated and other.shape[-behind] > 1 and _strides(other)[-behind]:
            array = array[(..., slice(1), *(slice(None),) * (behind - 1))]
    return array


def _strides(array: Array) -> tuple[int, ...]:
    return array.stride() if isinstance(array, Tensor) else array.strides


def _table(x: Array, y: Array, dim: int) -> tuple[_Table, Array, Array] | None:
    """The table that two operands make, and which of them its rows and its columns are of; None
    where they make none, or one that is not worth a call."""
    place = dim if dim < 0 else dim - max(x.ndim, y.ndim)
    if not -min(x.ndim, y.ndim) <= place < 0 or x.shape[place] != y.shape[place]:
        return None
    moved = torch.movedim if isinstance(x, Tensor) else np.moveaxis
    x, y = (moved(each, place, -1) for each in (x, y))
    x, y = _thin(x, y), _thin(y, x)
    axes = max(x.ndim, y.ndim) - 1
    wide = [(1,) * (axes + 1 - each.ndim) + tuple(each.shape[:-1]) for each in (x, y)]
    pairs = list(zip(*wide, strict=True))
    if any(a != b and 1 not in (a, b) for a, b in pairs):
        return None
    shape = tuple(a if b == 1 else b for a, b in pairs)
    of_x = tuple(p for p, (a, b) in enumerate(pairs) if a != 1 and b == 1)
    of_y = tuple(p for p, (a, b) in enumerate(pairs) if a == 1 and b != 1)
    batch = tuple(p for p, (a, b) in enumerate(pairs) if a == b)
    width = x.shape[-1]
    few = width < NARROWEST or math.prod(shape) * width <= _at_once(x, y)
    if not (of_x and of_y) or few:
        return None
    if of_y[0] < of_x[0]:
        return _Table(shape, batch, of_y, of_x), y, x
    return _Table(shape, batch, of_x, of_y), x, y


def _few(x: Array, y: Array, dim: int) -> bool:
    """Whether, paired in whatever way, they are too few for a table: asked first, being cheap."""
    if not (isinstance(x, (Tensor, np.ndarray)) and isinstance(y, (Tensor, np.ndarray))):
        return True  # which the plain code takes, or tells
    shape = x.shape
    width = shape[-1] if dim == -1 and shape else 1
    return math.prod(shape) * math.prod(y.shape) <= _at_once(x, y) * width


def _at_once(x: Array, y: Array) -> int:
    """The differences up to which the plain code takes no more time than tiles."""
    if not isinstance(x, Tensor) or x.is_cpu:
        return FEW_DIFFERENCES
    return MANY_WITH_GRADIENTS if _trains(x, y) else MANY_DIFFERENCES


def _trains(x: Array, y: Array) -> bool:
    return torch.is_grad_enabled() and any(
        isinstance(each, Tensor) and each.requires_grad for each in (x, y)
    )


class _Distances(torch.autograd.Function):
    """Of (batch, rows, D) and (batch, columns, D) the distances (`root`) or their squares. Their
    gradient computes them again."""

    @staticmethod
    def forward(ctx: Any, x: Tensor, y: Tensor, root: bool) -> Tensor:
        ctx.save_for_backward(x, y)
        ctx.root = root
        return _computed(x, y, root=root)

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor | None, ...]:
        x, y = ctx.saved_tensors
        plain = torch.is_grad_enabled()

        def results(x: Tensor, y: Tensor) -> list[Tensor]:
            if plain:
                return [reference(x[:, :, None], y[:, None], root=ctx.root)]
            apart = torch.cdist(x, y, compute_mode=_EXACT)
            return [apart if ctx.root else apart * apart]

        if plain:
            return *differentiable_gradients(results, (x, y), (grad,)), None
        if usable(x, y, grad):
            return *_in_triton(x, y, grad, ctx.needs_input_grad[:2], root=ctx.root), None
        given = [
            each.detach().requires_grad_(wanted)
            for each, wanted in zip((x, y), ctx.needs_input_grad, strict=False)
        ]
        with torch.enable_grad():
            found = results(*given)
        wanted = [each for each in given if each.requires_grad]
        grads = iter(torch.autograd.grad(found, wanted, (grad,)))
        return *(next(grads) if each.requires_grad else None for each in given), None


def _computed(x: Tensor, y: Tensor, root: bool) -> Tensor:
    """Of (B, N, D) and (B, M, D) the entries (B, N, M), without a gradient."""
    if usable(x, y):
        return distances(x, y, root=root)
    if root:
        return torch.cdist(x, y, compute_mode=_EXACT)
    batch, rows, width = x.shape
    columns = y.shape[1]
    found = x.new_empty(batch, rows, columns)
    entries = _TILE[x.device.type]
    taken = min(rows, max(1, entries // (columns * width)))
    layers = max(1, entries // (taken * columns * width))
    for first in range(0, batch, layers):
        for row in range(0, rows, taken):
            here = slice(first, first + layers), slice(row, row + taken)
            apart = x[here].unsqueeze(2) - y[here[0]].unsqueeze(1)
            torch.sum(apart.mul_(apart), -1, out=found[here])
    return found


def _in_triton(
    x: Tensor, y: Tensor, grad: Tensor, wanted: tuple[bool, ...], *, root: bool
) -> list[Tensor | None]:
    """The gradients of (B, N, D) and (B, M, D), each where it is wanted, from that of (B, N, M)."""
    if root:
        apart = distances(x, y, root=True)
        weights = (grad / apart).masked_fill_(apart == 0, 0)
    else:
        weights = 2 * grad
    return [
        pulls(x, y, weights.mT) if wanted[0] else None,
        pulls(y, x, weights) if wanted[1] else None,
    ]


def squared_distances(x: Array, y: Array, *, dim: int = -1, root: bool = False) -> Array:
    """The squared distances of the rows of x from the rows of y that broadcasting pairs them with.

    Args:
        x: (..., D), for instance (N, 1, D). y: (..., D), for instance (M, D).
        dim: where D lies among the axes that both have together.
        root: the distances instead, whose gradient is 0 where they are.

    Differentiable in x and y, any number of times.

    Returns:
        As `((x - y) ** 2).sum(dim)`: here (N, M), an array where x and y are arrays of NumPy.

    Raises:
        What `reference` raises: operands that do not fit are handed to it, and so are whole and
        complex numbers.
    """
    if _few(x, y, dim):
        return reference(x, y, dim=dim, root=root)
    numpy = _of_numpy(x) and _of_numpy(y)
    fits = numpy or (_tensor(x) and _tensor(y) and x.device == y.device and _runs(x, y))
    found = _table(x, y, dim) if fits else None
    if found is None:
        return reference(x, y, dim=dim, root=root)
    table, rows, columns = found
    given = [table.laid(rows, table.rows), table.laid(columns, table.columns)]
    if numpy:
        wide = np.result_type(x, y)
        given = [torch.from_numpy(np.array(each, wide, order="C")) for each in given]
        return table.unfolded(_computed(*given, root=root)).numpy()
    given = [each.to(accumulator(x, y)) for each in given]
    if _trains(x, y):
        # the plain code keeps the differences: x and y may be overwritten before the backward pass
        result = _Distances.apply(*map(private, given), root)
    else:
        result = _computed(*given, root=root)
    return table.unfolded(result).to(torch.promote_types(x.dtype, y.dtype))


def _of_numpy(array: Array) -> bool:
    return type(array) is np.ndarray and array.dtype in (np.float32, np.float64)


def _runs(x: Tensor, y: Tensor) -> bool:
    """Whether `torch.cdist` and its gradient run where the tensors are."""
    sure = x.device.type == "cpu" or not torch.are_deterministic_algorithms_enabled()
    return x.device.type in ("cpu", "cuda") and sure and not traced(x, y) and not autocasting(x)


def _tensor(array: Array) -> bool:
    return isinstance(array, Tensor) and array.is_floating_point()
