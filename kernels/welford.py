"""Mean and variance over axes, as one fold.

    mean = sum_i x[i] / n        variance = sum_i (x[i] - mean)^2 / (n - correction)

(n, mean, m2), m2 the sum of squared deviations from the mean, is the state of one fold, so that a
row can be read in tiles, and by several programs at once:

    identity                                   (0, 0, 0)
    combine, (n1, mean1, m21) and (n2, mean2, m22), with n = n1 + n2 and d = mean2 - mean1:
        (n, mean1 + d n2 / n, m21 + m22 + d^2 n1 n2 / n)

Unlike the mean square less the squared mean this loses no digits where the mean is large.
Gradient: dx[i] = dmean / n + dvariance 2 (x[i] - mean) / (n - correction).

On a CPU the deviations are squared in place: two vectorised passes, where torch.var_mean takes one
number at a time. On a GPU torch.var_mean runs but for large rows.

Sources: Welford (1962); Chan, Golub and LeVeque, "Updating Formulae and a Pairwise Algorithm for
Computing Sample Variances" (1979).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor

from .precision import widened
from .surroundings import autocasting, transformed
from .triton_runtime import block_size, launches, tl, triton, usable

SMALL = 1 << 18
"""Fewer entries are not worth the dispatch of an operator of our own on a CPU."""

FEW = 512
"""Fewer entries torch.var_mean takes in less time, one at a time in one call."""

LONG = 1024
"""Entries of a row that keep the threads of a program on a GPU busy."""

MANY = 1 << 26
"""Entries from which one read saves more on a GPU than what our operator costs Python, 0.2 ms, and
0.5 ms more with gradients (an H200, 2026-11-27)."""

TOLERANCE: dict[torch.dtype, tuple[float, float]] = {
    torch.float64: (1e-14, 1e-13),
    torch.float32: (2e-6, 1e-5),
    torch.float16: (2e-3, 4e-3),
    torch.bfloat16: (1.6e-2, 3.2e-2),
}
"""Largest error against float64: (outputs relative to max|reference|, gradients to max|dx|).

Statistics are float32 for half types and rounded once, the variance of entries that were rounded
themselves: two units in the last place.
"""


def reference(
    x: Tensor,
    dim: int | Sequence[int] | None = None,
    correction: float = 1,
    keepdim: bool = False,
    root: bool = False,
) -> tuple[Tensor, Tensor]:
    """What `welford` computes, in two passes: (mean, variance)."""
    axes = _axes(x, dim)
    mean = x.mean(axes, keepdim=True)
    squares = ((x - mean) ** 2).sum(axes, keepdim=keepdim)
    mean = mean if keepdim else mean.squeeze(axes)
    variance = squares / (_count(x, axes) - correction)
    return mean, _root(variance) if root else variance


def _plain(x: Tensor, dim: int, correction: float) -> bool:
    """Whether torch.var_mean does as the reference along an axis, and as exactly."""
    return (
        x.dtype in (torch.float32, torch.float64)
        and -x.ndim <= dim < x.ndim
        and correction < x.shape[dim]
        and not autocasting(x)
    )


def _root(variance: Tensor) -> Tensor:
    """The standard deviation, whose gradient torch takes to be 0 where all entries are equal."""
    none = variance == 0
    return variance.masked_fill(none, 1.0).sqrt().masked_fill(none, 0.0)


def _count(x: Tensor, axes: Sequence[int]) -> int:
    """How many entries the axes have together."""
    return math.prod([x.size(axis) for axis in axes])


def _axes(x: Tensor, dim: int | Sequence[int] | None) -> list[int]:
    """The reduced axes, counted from the front; all of them where none is given, as in torch.

    Raises:
        IndexError: one is not there. RuntimeError: one is given twice.
    """
    if dim is None or dim == () or dim == []:
        return list(range(x.ndim))
    if isinstance(dim, int) and -x.ndim <= dim < x.ndim:
        return [dim % x.ndim]
    axes = [dim] if isinstance(dim, int) else list(dim)
    for axis in axes:
        if not -max(x.ndim, 1) <= axis < max(x.ndim, 1):
            raise IndexError(f"axis {axis} of a tensor with {x.ndim} axes")
    found = sorted({axis % x.ndim for axis in axes}) if x.ndim else []
    if len(found) != len(axes) and x.ndim:
        raise RuntimeError(f"an axis appears twice in {axes}")
    return found


# ---------------------------------------------------------------------------------- Triton path
#
# Rows are contiguous. Program (row, part) owns `part_length` entries of a row and folds its tiles;
# the states of the parts are combined at once, they are few.


@triton.jit
def _moments_kernel(  # type: ignore[no-untyped-def]
    x_ptr, mean_ptr, m2_ptr, length, part_length, parts, BLOCK: tl.constexpr
):
    row = tl.program_id(0).to(tl.int64)
    part = tl.program_id(1).to(tl.int64)
    start = part * part_length
    stop = tl.minimum(start + part_length, length)
    offsets = tl.arange(0, BLOCK)
    seen = 0.0
    mean = 0.0
    m2 = 0.0
    position = start
    while position < stop:
        inside = position + offsets < stop
        x = tl.load(x_ptr + row * length + position + offsets, mask=inside, other=0.0)
        x = x.to(tl.float32)
        count = tl.minimum(stop - position, BLOCK).to(tl.float32)
        tile_mean = tl.sum(x, 0) / count
        away = tl.where(inside, x - tile_mean, 0.0)
        step = tile_mean - mean
        total = seen + count
        m2 += tl.sum(away * away, 0) + step * step * seen * count / total
        mean += step * count / total
        seen = total
        position += BLOCK
    tl.store(mean_ptr + row * parts + part, mean)
    tl.store(m2_ptr + row * parts + part, m2)


@triton.jit
def _merge_kernel(  # type: ignore[no-untyped-def]
    means_ptr, squares_ptr, mean_ptr, m2_ptr, length, part_length, parts, PARTS: tl.constexpr
):
    row = tl.program_id(0).to(tl.int64)
    each = tl.arange(0, PARTS)
    inside = each < parts
    means = tl.load(means_ptr + row * parts + each, mask=inside, other=0.0)
    squares = tl.load(squares_ptr + row * parts + each, mask=inside, other=0.0)
    counts = tl.where(each == parts - 1, length - (parts - 1) * part_length, part_length)
    counts = tl.where(inside, counts, 0).to(tl.float32)
    mean = tl.sum(means * counts, 0) / length
    away = means - mean
    tl.store(mean_ptr + row, mean)
    tl.store(m2_ptr + row, tl.sum(squares + counts * away * away, 0))


@triton.jit
def _moments_gradient_kernel(  # type: ignore[no-untyped-def]
    x_ptr, mean_ptr, shift_ptr, scale_ptr, dx_ptr, length, BLOCK: tl.constexpr
):
    # blocks and rows on one axis of the grid: the others have 65535 places
    blocks = tl.cdiv(length, BLOCK)
    program = tl.program_id(0).to(tl.int64)
    row = program // blocks
    position = (program % blocks) * BLOCK + tl.arange(0, BLOCK)
    inside = position < length
    at = row * length + position
    mean = tl.load(mean_ptr + row)
    x = tl.load(x_ptr + at, mask=inside, other=0.0).to(tl.float32)
    dx = tl.load(shift_ptr + row) + tl.load(scale_ptr + row) * (x - mean)
    tl.store(dx_ptr + at, dx.to(dx_ptr.dtype.element_ty), mask=inside)


@launches
def _moments_triton(x: Tensor, *, parts: int | None = None) -> tuple[Tensor, Tensor]:
    """(mean, m2) in float32 of the rows of a contiguous (rows, length), neither of them 0."""
    rows, length = x.shape
    block = block_size(length, 4096)
    if parts is None:
        parts = max(1, min(-(-512 // rows), -(-length // block)))
    part_length = -(-length // (parts * block)) * block
    parts = -(-length // part_length)
    means = torch.empty((rows, parts), dtype=torch.float32, device=x.device)
    squares = torch.empty_like(means)
    _moments_kernel[(rows, parts)](x, means, squares, length, part_length, parts, BLOCK=block)
    if parts == 1:
        return means[:, 0], squares[:, 0]
    mean, m2 = means.new_empty(rows), means.new_empty(rows)
    every = block_size(parts, 1 << 20)
    _merge_kernel[(rows,)](means, squares, mean, m2, length, part_length, parts, PARTS=every)
    return mean, m2


@launches
def _gradient_triton(x: Tensor, mean: Tensor, shift: Tensor, scale: Tensor) -> Tensor:
    """shift + scale (x - mean) for the rows of a contiguous (rows, length)."""
    rows, length = x.shape
    block = block_size(length, 4096)
    dx = torch.empty_like(x)
    _moments_gradient_kernel[(rows * -(-length // block),)](
        x, mean, shift, scale, dx, length, BLOCK=block
    )
    return dx


# ------------------------------------------------------------------------------ operator wiring


def _in_triton(x: Tensor, count: int) -> bool:
    """Whether our kernels are faster than torch.var_mean: for large rows, and many entries."""
    return usable(x) and x.dtype != torch.float64 and count >= LONG and x.numel() >= MANY


def _rows(x: Tensor, axes: Sequence[int]) -> Tensor:
    """x with the reduced axes as contiguous rows of a matrix."""
    kept = [axis for axis in range(x.ndim) if axis not in axes]
    moved = x.permute([*kept, *axes])
    count = math.prod([x.size(axis) for axis in kept])
    return moved.reshape(count, -1).contiguous()


def _kept_shape(x: Tensor, axes: Sequence[int]) -> list[int]:
    return [1 if axis in axes else n for axis, n in enumerate(x.shape)]


def _forward(x: Tensor, axes: Sequence[int], correction: float) -> tuple[Tensor, Tensor]:
    """Mean and variance over `axes`, which stay with one entry."""
    count = _count(x, axes)
    if _in_triton(x, count):
        means, squares = _moments_triton(_rows(x, axes))
        shape = _kept_shape(x, axes)
        variance = squares / (count - correction)
        return means.reshape(shape).to(x.dtype), variance.reshape(shape).to(x.dtype)
    wide = x.to(widened(x.dtype))
    mean = wide.mean(list(axes), keepdim=True)
    variance = (wide - mean).square_().sum(list(axes), keepdim=True).div_(count - correction)
    return mean.to(x.dtype), variance.to(x.dtype)


_moments = torch.library.custom_op("auditor::moments", _forward, mutates_args=())


@_moments.register_fake
def _moments_fake(x: Tensor, axes: Sequence[int], correction: float) -> tuple[Tensor, Tensor]:
    return x.new_empty(_kept_shape(x, axes)), x.new_empty(_kept_shape(x, axes))


@torch.library.custom_op("auditor::moments_backward", mutates_args=())
def _moments_backward(
    x: Tensor, dmean: Tensor, dvariance: Tensor, axes: Sequence[int], correction: float
) -> Tensor:
    count = _count(x, axes)
    dtype = widened(x.dtype)
    shift = dmean.to(dtype) / count
    scale = dvariance.to(dtype) * (2.0 / (count - correction))
    if _in_triton(x, count) and usable(dmean, dvariance):
        rows = _rows(x, axes)
        mean, _ = _moments_triton(rows)
        dx = _gradient_triton(rows, mean, shift.reshape(-1).contiguous(),
                              scale.reshape(-1).contiguous())  # fmt: skip
        kept = [axis for axis in range(x.ndim) if axis not in axes]
        order = [*kept, *axes]
        back = [order.index(axis) for axis in range(x.ndim)]
        return dx.reshape([x.size(axis) for axis in order]).permute(back).contiguous()
    wide = x.to(dtype)
    mean = wide.mean(list(axes), keepdim=True)
    return (wide - mean).mul_(scale).add_(shift).to(x.dtype)


@_moments_backward.register_fake
def _moments_backward_fake(
    x: Tensor, dmean: Tensor, dvariance: Tensor, axes: Sequence[int], correction: float
) -> Tensor:
    return torch.empty_like(x, memory_format=torch.contiguous_format)


def _setup_context(ctx: Any, inputs: tuple[Tensor, Sequence[int], float], output: Any) -> None:
    x, ctx.axes, ctx.correction = inputs
    ctx.save_for_backward(x)


def _differentiate(ctx: Any, dmean: Tensor, dvariance: Tensor) -> tuple[Tensor, None, None]:
    (x,) = ctx.saved_tensors
    if torch.is_grad_enabled():
        # create_graph: the gradient must be differentiable itself
        count = _count(x, ctx.axes)
        away = x - x.mean(list(ctx.axes), keepdim=True)
        dx = dmean / count + dvariance * (2.0 / (count - ctx.correction)) * away
        return dx, None, None
    return _moments_backward(x, dmean, dvariance, ctx.axes, ctx.correction), None, None


_moments.register_autograd(_differentiate, setup_context=_setup_context)


# ------------------------------------------------------------------------------ public function


def welford(
    x: Tensor,
    dim: int | Sequence[int] | None = None,
    correction: float = 1,
    keepdim: bool = False,
    root: bool = False,
) -> tuple[Tensor, Tensor]:
    """Mean and variance of `x` over `dim`.

    Args:
        x: any shape, strides and floating or complex dtype.
        dim: the axes that are reduced; None, or no axis, for all of them.
        correction: what the divisor of the variance lacks of the number of entries: 0 for the
            variance itself, 1 for its estimate from a sample.
        keepdim: keep reduced axes, with extent 1.
        root: the standard deviation in place of the variance.

    Returns (mean, variance) in the dtype of `x`. Over no entries both are NaN; NaN and infinite
    entries spread as in sums. Half types accumulate in float32. Differentiable any number of
    times; `x` must not be written before the backward pass.

    Raises:
        What `reference` raises: for integers, a `dim` out of range or one given twice.
    """
    if root and (x.numel() < SMALL or x.dtype in (torch.float16, torch.bfloat16)):
        # In half precision a variance may be too large where its root is not.
        deviation, mean = torch.std_mean(x, _axes(x, dim), correction=correction, keepdim=keepdim)
        return mean, deviation
    if not x.is_cuda and x.numel() < SMALL:
        if x.numel() < FEW and isinstance(dim, int) and _plain(x, dim, correction):
            variance, mean = torch.var_mean(x, dim, correction=correction, keepdim=keepdim)
            return mean, _root(variance) if root else variance
        return reference(x, dim, correction, keepdim, root)
    axes = _axes(x, dim)
    count = _count(x, axes)
    plain = (
        not x.is_floating_point()
        or x.numel() == 0
        or count <= correction
        or autocasting(x)
        or transformed()
    )
    if plain:
        return reference(x, dim, correction, keepdim, root)
    if x.is_cuda and not _in_triton(x, count):
        both = torch.std_mean if root else torch.var_mean
        spread, mean = both(x, axes, correction=correction, keepdim=keepdim)
        return mean, spread
    differentiated = x.requires_grad and torch.is_grad_enabled()
    traced = torch.compiler.is_compiling() or type(x) not in (Tensor, torch.nn.Parameter)
    moments = torch.ops.auditor.moments if differentiated or traced else _forward
    mean, variance = moments(x, axes, float(correction))
    variance = _root(variance) if root else variance
    return (mean, variance) if keepdim else (mean.squeeze(axes), variance.squeeze(axes))
