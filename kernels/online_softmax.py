"""Softmax and logsumexp along axes, as folds over them.

    online_softmax(x)[i] = exp(x[i] - m) / s        logsumexp(x) = m + log(s)
    m = max_i x[i]                                  s = sum_i exp(x[i] - m)

(m, s) is the state of one fold, so a row can be read in tiles, and by several programs at once:

    identity                               (-inf, 0)
    combine, first (m1, s1), then (m2, s2)   m = max(m1, m2)
                                           s = s1 exp(m1 - m) + s2 exp(m2 - m)

Gradient, with y the result: dx[i] = y[i] (dy[i] - sum_j dy[j] y[j]).

torch.softmax is used everywhere but where it is slow or inexact. On a GPU it reads rows of some
thousand entries more than once: many of them are each kept in the registers of a program. Few very
long rows, which it gives one block of threads each, are split over many programs whose states are
merged. On a CPU it adds up a row of float32 in few running sums (at 2^16 entries an error of 60
eps, at 2^22 of 1000), there the three passes run. They do for many short rows on a CPU as well,
which it takes one entry at a time.

Source: Milakov and Gimelshein, "Online normalizer calculation for softmax" (2018).
"""

from __future__ import annotations

import math
from typing import Any

import torch
from torch import Tensor

from . import softmax_arrays
from .axes import Axes, numbered, side_by_side
from .precision import widened
from .surroundings import autocasting, transformed
from .triton_runtime import block_size, launches, tl, triton, usable

SPLIT_ROWS = 64
"""Up to so many rows leave most of a large GPU idle at one program a row."""

SPLIT_LENGTH = 1 << 20
"""From here on a row is worth splitting over programs: torch.softmax takes 0.3 ns an entry of one
of few rows, and what our operator costs Python is 0.2 to 0.3 ms (an H200, 2026-11-27)."""

MANY = 1 << 26
"""Entries from which reading them once saves more than that, of many rows and of any for logsumexp.
An H200 (2026-11-27) takes 0.34 ms for the softmax of 2^27 of bfloat16 in rows of 8192, the card
0.13 of them, torch 0.54 and 0.50; for logsumexp 0.31 and 0.74, for 2^25 in 32 rows 0.55 and
0.26."""

WHOLE = (2048, 1 << 15)
"""Entries of a row that a program keeps in registers: fewer are fast in torch, more do not fit."""

WARPS = 8
"""Warps of a program that reads a part of a long row."""

SHORT_ROW = 16
"""Entries of a row, or rows side by side, that fill a vector of a CPU: with fewer of them
torch.softmax takes one at a time."""

FEW_ENTRIES = 512
"""Up to here the calls of three passes cost more than that."""

LONG_ROW = 8192
"""Up to here torch.softmax on a CPU is as exact as sums by pairs, within a few eps."""

TOLERANCE: dict[torch.dtype, tuple[float, float]] = {
    torch.float64: (1e-14, 1e-13),
    torch.float32: (1e-6, 1e-5),
    torch.float16: (1e-3, 4e-3),
    torch.bfloat16: (8e-3, 3.2e-2),
}
"""Largest error against float64: (outputs relative to max|reference|, gradients to max|dy|).

Statistics are float32 for half types and the result is rounded once: one unit in the last place;
gradients subtract two rounded products.
"""


def reference(x: Tensor, dim: Axes, *, dtype: torch.dtype | None = None) -> Tensor:
    """What `online_softmax` computes, in three passes."""
    if dtype is not None:
        x = x.to(dtype)
    x = _ordered(x)
    dim = numbered(dim, x.ndim)
    weights = torch.exp(x - _largest(x, dim))
    return weights / weights.sum(dim, keepdim=True)


def logsumexp_reference(x: Tensor, dim: Axes, keepdim: bool = False) -> Tensor:
    """What `logsumexp` computes, in three passes."""
    x = _ordered(x)
    dim = numbered(dim, x.ndim)
    m = _largest(x, dim)
    result = m + torch.log(torch.exp(x - m).sum(dim, keepdim=True))
    return result if keepdim else result.squeeze(dim)


def _ordered(x: Tensor) -> Tensor:
    """Integers and booleans in a dtype that has differences without wrapping around."""
    return x if x.is_floating_point() or x.is_complex() else x.to(torch.int64)


def _largest(x: Tensor, dim: int | tuple[int, ...]) -> Tensor:
    """The largest entry along `dim`, 0 of none; complex ones are as large as their exponentials."""
    sizes = x.real if x.is_complex() else x
    if x.ndim and not x.numel():
        return sizes.sum(dim, keepdim=True)
    return sizes.amax(dim, keepdim=True)


# ---------------------------------------------------------------------------------- Triton path
#
# Rows are contiguous. Program (row, part) owns `part_length` entries of a row and reads them in
# tiles of BLOCK; the statistics of the parts are merged by every program that needs them.


@triton.jit
def _merge(m1, s1, m2, s2):  # type: ignore[no-untyped-def]
    m = tl.maximum(m1, m2, propagate_nan=tl.PropagateNan.ALL)
    # -inf - -inf is NaN: a state that has seen nothing but -inf contributes nothing
    scale1 = tl.where(m1 == -float("inf"), 0.0, tl.exp(m1 - m))
    scale2 = tl.where(m2 == -float("inf"), 0.0, tl.exp(m2 - m))
    return m, s1 * scale1 + s2 * scale2


@triton.jit
def _merge_all(m, s):  # type: ignore[no-untyped-def]
    top = tl.max(m, 0)
    return top, tl.sum(tl.where(m == -float("inf"), 0.0, s * tl.exp(m - top)), 0)


@triton.jit
def _statistics_kernel(  # type: ignore[no-untyped-def]
    x_ptr, m_ptr, s_ptr, length, part_length, parts, BLOCK: tl.constexpr, LOGARITHM: tl.constexpr
):
    # The largest entry and the sum; with LOGARITHM the logarithm of the exponentials' sum for m.
    row = tl.program_id(0).to(tl.int64)
    part = tl.program_id(1).to(tl.int64)
    start = part * part_length
    stop = tl.minimum(start + part_length, length)
    offsets = tl.arange(0, BLOCK)
    m = tl.full((BLOCK,), -float("inf"), tl.float32)
    s = tl.zeros((BLOCK,), tl.float32)
    position = start
    while position < stop:
        inside = position + offsets < stop
        x = tl.load(x_ptr + row * length + position + offsets, mask=inside, other=-float("inf"))
        x = x.to(tl.float32)
        m, s = _merge(m, s, x, tl.where(inside, 1.0, 0.0))
        position += BLOCK
    no_number = tl.max((m != m).to(tl.int32), 0) == 1
    m, s = _merge_all(m, s)
    if LOGARITHM:
        # inf - inf is NaN where the result is inf, but for a NaN in the row, which max passes over
        found = tl.where(tl.abs(m) == float("inf"), m, m + tl.log(s))
        tl.store(m_ptr + row * parts + part, tl.where(no_number, float("nan"), found))
    else:
        tl.store(m_ptr + row * parts + part, m)
        tl.store(s_ptr + row * parts + part, s)


@triton.jit
def _normalise_kernel(  # type: ignore[no-untyped-def]
    x_ptr,
    m_ptr,
    s_ptr,
    y_ptr,
    length,
    part_length,
    parts,
    BLOCK: tl.constexpr,
    PARTS: tl.constexpr,
):
    row = tl.program_id(0).to(tl.int64)
    part = tl.program_id(1).to(tl.int64)
    each = tl.arange(0, PARTS)
    m = tl.load(m_ptr + row * parts + each, mask=each < parts, other=-float("inf"))
    s = tl.load(s_ptr + row * parts + each, mask=each < parts, other=0.0)
    m, s = _merge_all(m, s)
    start = part * part_length
    stop = tl.minimum(start + part_length, length)
    offsets = tl.arange(0, BLOCK)
    position = start
    while position < stop:
        inside = position + offsets < stop
        x = tl.load(x_ptr + row * length + position + offsets, mask=inside, other=0.0)
        y = tl.exp(x.to(tl.float32) - m) / s
        tl.store(
            y_ptr + row * length + position + offsets, y.to(y_ptr.dtype.element_ty), mask=inside
        )
        position += BLOCK


@triton.jit
def _whole_rows_kernel(  # type: ignore[no-untyped-def]
    x_ptr, y_ptr, length, BLOCK: tl.constexpr
):
    at = tl.program_id(0).to(tl.int64) * length + tl.arange(0, BLOCK)
    inside = tl.arange(0, BLOCK) < length
    x = tl.load(x_ptr + at, mask=inside, other=-float("inf")).to(tl.float32)
    # a NaN that max passes over is in the sum
    weights = tl.exp(x - tl.max(x, 0))
    y = weights / tl.sum(weights, 0)
    tl.store(y_ptr + at, y.to(y_ptr.dtype.element_ty), mask=inside)


@triton.jit
def _whole_gradient_kernel(  # type: ignore[no-untyped-def]
    y_ptr, dy_ptr, dx_ptr, length, BLOCK: tl.constexpr
):
    at = tl.program_id(0).to(tl.int64) * length + tl.arange(0, BLOCK)
    inside = tl.arange(0, BLOCK) < length
    y = tl.load(y_ptr + at, mask=inside, other=0.0).to(tl.float32)
    dy = tl.load(dy_ptr + at, mask=inside, other=0.0).to(tl.float32)
    dx = y * (dy - tl.sum(y * dy, 0))
    tl.store(dx_ptr + at, dx.to(dx_ptr.dtype.element_ty), mask=inside)


@triton.jit
def _dot_kernel(  # type: ignore[no-untyped-def]
    y_ptr, dy_ptr, dot_ptr, length, part_length, parts, BLOCK: tl.constexpr
):
    row = tl.program_id(0).to(tl.int64)
    part = tl.program_id(1).to(tl.int64)
    start = part * part_length
    stop = tl.minimum(start + part_length, length)
    offsets = tl.arange(0, BLOCK)
    total = tl.zeros((BLOCK,), tl.float32)
    position = start
    while position < stop:
        inside = position + offsets < stop
        at = row * length + position + offsets
        y = tl.load(y_ptr + at, mask=inside, other=0.0).to(tl.float32)
        total += y * tl.load(dy_ptr + at, mask=inside, other=0.0).to(tl.float32)
        position += BLOCK
    tl.store(dot_ptr + row * parts + part, tl.sum(total, 0))


@triton.jit
def _gradient_kernel(  # type: ignore[no-untyped-def]
    y_ptr,
    dy_ptr,
    dot_ptr,
    dx_ptr,
    length,
    part_length,
    parts,
    BLOCK: tl.constexpr,
    PARTS: tl.constexpr,
):
    row = tl.program_id(0).to(tl.int64)
    part = tl.program_id(1).to(tl.int64)
    each = tl.arange(0, PARTS)
    dot = tl.sum(tl.load(dot_ptr + row * parts + each, mask=each < parts, other=0.0), 0)
    start = part * part_length
    stop = tl.minimum(start + part_length, length)
    offsets = tl.arange(0, BLOCK)
    position = start
    while position < stop:
        inside = position + offsets < stop
        at = row * length + position + offsets
        y = tl.load(y_ptr + at, mask=inside, other=0.0).to(tl.float32)
        dy = tl.load(dy_ptr + at, mask=inside, other=0.0).to(tl.float32)
        tl.store(dx_ptr + at, (y * (dy - dot)).to(dx_ptr.dtype.element_ty), mask=inside)
        position += BLOCK


def _split(rows: int, length: int, parts: int | None) -> tuple[int, int, int]:
    """(parts of a row, entries of a part, entries of a tile)."""
    block = block_size(length, 4096)
    if parts is None:
        parts = max(1, min(-(-512 // rows), -(-length // block)))
    part_length = -(-length // (parts * block)) * block
    return -(-length // part_length), part_length, block


def _whole(rows: int, length: int, parts: int | None) -> dict[str, int] | None:
    """How a program takes a whole row at once; None where rows are read in tiles."""
    if parts is not None or rows <= SPLIT_ROWS or length > WHOLE[1]:
        return None
    block = block_size(length, WHOLE[1])
    return {"BLOCK": block, "num_warps": min(max(block // 512, 1), 32)}


@launches
def _logsumexp_triton(x: Tensor, *, parts: int | None = None) -> Tensor:
    """logsumexp in float32 of the rows of a contiguous (rows, length), neither of them 0."""
    rows, length = x.shape
    parts, part_length, block = _split(rows, length, parts)
    found = torch.empty((rows, parts), dtype=torch.float32, device=x.device)
    _statistics_kernel[(rows, parts)](
        x, found, found, length, part_length, parts, BLOCK=block, LOGARITHM=True, num_warps=WARPS
    )
    return found[:, 0] if parts == 1 else torch.logsumexp(found, 1)


@launches
def _softmax_triton(x: Tensor, *, parts: int | None = None) -> Tensor:
    """Softmax of the rows of a contiguous (rows, length), neither of them 0."""
    rows, length = x.shape
    if (whole := _whole(rows, length, parts)) is not None:
        y = torch.empty_like(x)
        _whole_rows_kernel[(rows,)](x, y, length, **whole)
        return y
    parts, part_length, block = _split(rows, length, parts)
    m = torch.empty((rows, parts), dtype=torch.float32, device=x.device)
    s = torch.empty_like(m)
    y = torch.empty_like(x)
    grid = (rows, parts)
    sizes, every = (length, part_length, parts), block_size(parts, 1 << 20)
    tile = {"BLOCK": block, "num_warps": WARPS}
    _statistics_kernel[grid](x, m, s, *sizes, LOGARITHM=False, **tile)
    _normalise_kernel[grid](x, m, s, y, *sizes, PARTS=every, **tile)
    return y


@launches
def _softmax_gradient_triton(y: Tensor, dy: Tensor, *, parts: int | None = None) -> Tensor:
    """Gradient of `_softmax_triton` at its result; both operands contiguous."""
    rows, length = y.shape
    if (whole := _whole(rows, length, parts)) is not None:
        dx = torch.empty_like(y)
        _whole_gradient_kernel[(rows,)](y, dy, dx, length, **whole)
        return dx
    parts, part_length, block = _split(rows, length, parts)
    dot = torch.empty((rows, parts), dtype=torch.float32, device=y.device)
    dx = torch.empty_like(y)
    grid = (rows, parts)
    sizes, every = (length, part_length, parts), block_size(parts, 1 << 20)
    tile = {"BLOCK": block, "num_warps": WARPS}
    _dot_kernel[grid](y, dy, dot, *sizes, **tile)
    _gradient_kernel[grid](y, dy, dot, dx, *sizes, PARTS=every, **tile)
    return dx


# ------------------------------------------------------------------------------ operator wiring


@torch.library.custom_op("auditor::rows_softmax", mutates_args=())
def _rows_softmax(x: Tensor) -> Tensor:
    """Softmax along the last axis of a contiguous matrix on a GPU; elsewhere torch's."""
    return _softmax_triton(x) if usable(x) else torch.softmax(x, -1)


@_rows_softmax.register_fake
def _rows_softmax_fake(x: Tensor) -> Tensor:
    return torch.empty_like(x)


@torch.library.custom_op("auditor::rows_softmax_backward", mutates_args=())
def _rows_softmax_backward(y: Tensor, dy: Tensor) -> Tensor:
    if usable(y, dy):
        return _softmax_gradient_triton(y, dy.contiguous())
    return torch._softmax_backward_data(dy, y, -1, y.dtype)


@_rows_softmax_backward.register_fake
def _rows_softmax_backward_fake(y: Tensor, dy: Tensor) -> Tensor:
    return torch.empty_like(y)


def _setup_context(ctx: Any, inputs: tuple[Tensor], output: Tensor) -> None:
    ctx.save_for_backward(output)


def _differentiate(ctx: Any, dy: Tensor) -> Tensor:
    (y,) = ctx.saved_tensors
    if torch.is_grad_enabled():
        # create_graph: the gradient must be differentiable itself
        return y * (dy - (y * dy).sum(-1, keepdim=True))
    return _rows_softmax_backward(y, dy)


_rows_softmax.register_autograd(_differentiate, setup_context=_setup_context)


@torch.library.custom_op("auditor::rows_logsumexp", mutates_args=())
def _rows_logsumexp(x: Tensor) -> Tensor:
    """logsumexp along the last axis of a contiguous matrix on a GPU; elsewhere torch's."""
    return _logsumexp_triton(x).to(x.dtype) if usable(x) else torch.logsumexp(x, -1)


@_rows_logsumexp.register_fake
def _rows_logsumexp_fake(x: Tensor) -> Tensor:
    return x.new_empty(x.shape[:-1])


# ----------------------------------------------------------------------------- public functions


def _in_dtype_of_exp(result: Tensor, x: Tensor) -> Tensor:
    """`result` in the dtype that exp and sum give, which autocast decides by device."""
    if not autocasting(x):
        return result
    probe = torch.exp(torch.empty(0, dtype=x.dtype, device=x.device))
    return result.to((probe / probe.sum()).dtype)


def _for_triton(x: Tensor) -> bool:
    half = (torch.float16, torch.bfloat16)
    return usable(x) and x.dtype in (torch.float32, *half) and x.numel() > 0 and not transformed()


def _in_one_read(x: Tensor, dim: int) -> bool:
    """Whether our kernels take rows along `dim` on a GPU faster than torch.softmax."""
    length = x.size(dim)
    few = x.numel() <= SPLIT_ROWS * length
    if few:
        return length >= SPLIT_LENGTH
    return x.numel() >= MANY and WHOLE[0] <= length <= WHOLE[1] and x.stride(dim) == 1


def _rows_pay(x: Tensor, dim: int) -> bool:
    """Whether our kernels take the log-sum-exp of rows along `dim` on a GPU faster than torch."""
    long = x.numel() >= MANY and x.size(dim) >= WHOLE[0]
    return long and _for_triton(x) and x.movedim(dim, -1).is_contiguous()


def _passes_pay(x: Tensor, dim: int) -> bool:
    """Whether torch.softmax is inexact, or slow, along an axis of a tensor on a CPU."""
    if x.dtype not in (torch.float32, torch.float64):
        return False
    length = x.size(dim)
    if x.dtype == torch.float32 and length > LONG_ROW:
        return True
    last = dim % x.ndim == x.ndim - 1
    side = length if last else math.prod(x.shape[dim % x.ndim + 1 :])
    return side < SHORT_ROW and x.numel() > FEW_ENTRIES


def _in_three_passes(x: Tensor, dim: int) -> Tensor:
    """As the reference. Any shift cancels, also from the gradients: it has none."""
    shift = x.detach()
    last = dim % x.ndim == x.ndim - 1  # each of the two is the slower one along the other's axes
    m = shift.amax(dim, keepdim=True) if last else shift.max(dim, keepdim=True).values
    weights = torch.exp(x - m)
    return weights / weights.sum(dim, keepdim=True)


def _over_several(x: Tensor, dim: Axes) -> Tensor:
    """Of axes side by side as of one, of others in three passes."""
    found = side_by_side(dim, x.ndim)
    if found is None or not x.numel():
        return reference(x, dim)
    first, last = found
    y = online_softmax(x.flatten(first, last), first)
    return y.unflatten(first, x.shape[first : last + 1])


def online_softmax(x: Tensor, dim: Axes, *, dtype: torch.dtype | None = None) -> Tensor:
    """exp(x - max) / sum(exp(x - max)) along `dim`.

    Args:
        x: any shape, strides and dtype. Integers and booleans give floating results.
        dim: the axis, or several, or None for all.
        dtype: `x` is converted to it first, as in torch.softmax.

    A row of nothing but -inf gives NaN, as does one with NaN or +inf. Half types accumulate in
    float32. Differentiable any number of times. The result is kept for the backward pass, as by
    torch.softmax: writing into it before that is an error, and writing past autograd, through
    `.data` or an array that shares its memory, changes the gradient.

    Returns:
        The weights, shaped as `x`, in the dtype that its exponentials have.

    Raises:
        What `reference` raises, for a `dim` out of range.
    """
    if not isinstance(x, Tensor):
        return softmax_arrays.online_softmax(x, dim)
    if dtype is not None:
        x = x.to(dtype)
    if not x.is_floating_point() or x.ndim == 0:
        return reference(x, dim)
    if not isinstance(dim, int):
        return _over_several(x, dim)
    if x.device.type == "cpu" and _passes_pay(x, dim):
        return _in_three_passes(x, dim)
    if not (_for_triton(x) and _in_one_read(x, dim)):
        return _in_dtype_of_exp(torch.softmax(x, dim), x)
    last = x.movedim(dim, -1)
    y = _rows_softmax(last.reshape(-1, last.shape[-1]).contiguous())
    return _in_dtype_of_exp(y.view(last.shape).movedim(-1, dim).contiguous(), x)


def logsumexp(x: Tensor, dim: Axes, keepdim: bool = False) -> Tensor:
    """log(sum(exp(x))) along `dim`, without overflow.

    Args:
        x: any shape, strides and dtype. Integers and booleans give floating results.
        dim: the axis, or several, or None for all.
        keepdim: keep them, with extent 1.

    torch.logsumexp, made to take what the plain formula takes. A row of nothing but -inf is -inf,
    one with +inf is +inf (where max - max makes the plain formula NaN). Half types accumulate in
    float32. Differentiable any number of times; operand and result may be overwritten before the
    backward pass, which reads the exponentials alone.

    Returns:
        `x` without `dim` (or with extent 1 there), in the dtype that its exponentials have.

    Raises:
        What `logsumexp_reference` raises, for a `dim` out of range.
    """
    if not isinstance(x, Tensor):
        return softmax_arrays.logsumexp(x, dim, keepdim)
    if not x.is_floating_point() or x.ndim == 0:
        return logsumexp_reference(x, dim, keepdim)
    dim = numbered(dim, x.ndim)
    if not (x.requires_grad and torch.is_grad_enabled()):
        if not isinstance(dim, int) or not _rows_pay(x, dim):
            return _in_dtype_of_exp(torch.logsumexp(x, dim, keepdim), x)
        last = x.movedim(dim, -1)
        found = _rows_logsumexp(last.reshape(-1, last.shape[-1])).view(last.shape[:-1])
        return _in_dtype_of_exp(found.unsqueeze(dim) if keepdim else found, x)
    # any shift cancels, also from the gradients; an infinite one would make NaN of -inf
    m = x.detach().amax(dim, keepdim=True) if x.numel() else x.new_zeros(())
    # differences are taken in float32 where this is
    m = torch.nan_to_num(m.to(widened(x.dtype)), nan=math.nan, posinf=0.0, neginf=0.0)
    result = torch.exp(x - m).sum(dim, keepdim=True).log() + m
    return _in_dtype_of_exp((result if keepdim else result.squeeze(dim)).to(x.dtype), x)
