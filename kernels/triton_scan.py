"""The affine scan h[i] = a[i] h[i-1] + b[i] in Triton, over tiles and over parts of the sequence.

Shared by `linear_scan` and `selective_scan`. With (a, b) for "multiply by a, then add b":

    identity                             (1, 0)
    combine, first (a, b), then (c, d)   (c a, c b + d)

Programs own a block of columns and a part of the sequence, walk it in tiles, and scan each tile in
registers. Where there are too few columns to fill a GPU the sequence is cut into parts: first each
part's (product of gates, last state from zero), then the same scan over the parts, then each part
again from its true initial state.

A product of gates may overflow where no state does (large gates meet small states, or a gate of
zero follows), and 0 inf is no number. What is not finite shows in the states after it: where one of
a tile is not, the tile's steps are taken one after the other, and where the state before a part is
not, those of all parts before it. What is infinite or NaN then is so in the loop.

A reversed scan reads reversed addresses; Triton's own `reverse=True` is not used. Source: Blelloch,
"Prefix sums and their applications" (1990); Merrill and Garland, "Single-pass parallel prefix scan
with decoupled look-back" (2016) for the cost model of cutting.
"""

from __future__ import annotations

import torch
from torch import Tensor

from .triton_runtime import block_size, launches, tl, triton

TILE = 1024
"""Elements of a tile of few columns."""

ROWS = 32
"""Steps that a tile has at least: what a thread reads at once of its columns, and then scans alone,
as one warp has the whole tile."""

COLUMNS = 64
"""Columns that a tile has at most: two neighbouring ones for each thread of the warp."""

LONE = 256
"""Steps of a tile of one column. Backwards its threads get every 32nd step instead of neighbouring
ones, and combine the more of them with each other the longer it is."""

ENOUGH = 264
"""Programs that keep a large GPU busy without cutting the sequence: two for each processor."""

PROGRAMS = 2112
"""Programs to aim for when cutting the sequence: sixteen for each processor of a large GPU."""


@triton.jit
def combine(a, b, c, d):  # type: ignore[no-untyped-def]
    return c * a, c * b + d


@triton.jit
def is_finite(x):  # type: ignore[no-untyped-def]
    # Whether all of a tensor is.
    return tl.min((tl.abs(x) < float("inf")).to(tl.int32)) == 1


@triton.jit
def _elements(  # type: ignore[no-untyped-def]
    a_ptr,
    b_ptr,
    at,
    first,
    stop,
    length,
    column,
    valid,
    a_time,
    a_column,
    b_time,
    b_column,
    REVERSE: tl.constexpr,
    NEIGHBOUR: tl.constexpr,
    EXCLUSIVE: tl.constexpr,
    ACCUMULATOR: tl.constexpr,
):
    # The steps at the places `at` in the order of visiting; from `stop` on the identity.
    inside = at < stop
    a_at, b_at = at, at
    a_inside, b_inside = inside, inside
    if NEIGHBOUR:
        a_at = at - 1
        a_inside = inside & (a_at >= 0)
    if EXCLUSIVE:
        a_at = at - 1
        b_at = at - 1
        a_inside = inside & (a_at >= first)
        b_inside = a_inside
    if REVERSE:
        a_at = length - 1 - a_at
        b_at = length - 1 - b_at
    a = tl.load(
        a_ptr + a_at[:, None] * a_time + column[None, :] * a_column,
        mask=a_inside[:, None] & valid[None, :],
        other=1.0,
    ).to(ACCUMULATOR)
    b = tl.load(
        b_ptr + b_at[:, None] * b_time + column[None, :] * b_column,
        mask=b_inside[:, None] & valid[None, :],
        other=0.0,
    ).to(ACCUMULATOR)
    return a, b


@triton.jit
def _scan_kernel(  # type: ignore[no-untyped-def]
    a_ptr,
    b_ptr,
    initial_ptr,
    factor_ptr,
    out_ptr,
    product_ptr,
    length,
    columns,
    part_length,
    parts,
    a_outer,
    a_time,
    a_column,
    b_outer,
    b_time,
    b_column,
    REVERSE: tl.constexpr,
    NEIGHBOUR: tl.constexpr,
    EXCLUSIVE: tl.constexpr,
    SUMMARY: tl.constexpr,
    OF_PARTS: tl.constexpr,
    HAS_INITIAL: tl.constexpr,
    ACCUMULATOR: tl.constexpr,
    BLOCK_TIME: tl.constexpr,
    BLOCK_COLUMN: tl.constexpr,
):
    blocks = tl.cdiv(columns, BLOCK_COLUMN)
    outer = (tl.program_id(0) // blocks).to(tl.int64)
    part = tl.program_id(1).to(tl.int64)
    column = (tl.program_id(0) % blocks).to(tl.int64) * BLOCK_COLUMN + tl.arange(0, BLOCK_COLUMN)
    valid = column < columns
    a_ptr += outer * a_outer
    b_ptr += outer * b_outer
    start = part * part_length
    stop = tl.minimum(start + part_length, length)
    border = (outer * parts + part) * columns + column
    state = tl.zeros((BLOCK_COLUMN,), ACCUMULATOR)
    if HAS_INITIAL:
        state = tl.load(initial_ptr + border, mask=valid, other=0.0).to(ACCUMULATOR)
        if part > 0 and not is_finite(state):
            # what the parts before make of it may be finite still: all of their steps are taken
            whole = outer * parts * columns + column
            state = tl.load(initial_ptr + whole, mask=valid, other=0.0).to(ACCUMULATOR)
            step = tl.full((), 0, tl.int64)
            while step < start:
                gate, drive = _elements(
                    a_ptr, b_ptr, step + tl.arange(0, 1), 0, start, length, column, valid,
                    a_time, a_column, b_time, b_column,
                    REVERSE, NEIGHBOUR, False, ACCUMULATOR,
                )  # fmt: skip
                state = tl.sum(gate * state[None, :] + drive, 0)
                step += 1
    product = tl.full((BLOCK_COLUMN,), 1.0, ACCUMULATOR)
    lane = tl.arange(0, BLOCK_TIME)
    last = (lane == BLOCK_TIME - 1)[:, None]
    position = start
    while position < stop:
        at = position + lane
        a, b = _elements(
            a_ptr, b_ptr, at, start, stop, length, column, valid,
            a_time, a_column, b_time, b_column,
            REVERSE, NEIGHBOUR, EXCLUSIVE, ACCUMULATOR,
        )  # fmt: skip
        a, b = tl.associative_scan((a, b), 0, combine)
        h = a * state[None, :] + b
        if SUMMARY:
            product *= tl.sum(tl.where(last, a, 0.0), 0)
        else:
            if not is_finite(h):
                # a product of gates overflowed, or a state did: one step after the other
                for number in range(BLOCK_TIME):
                    gate, drive = _elements(
                        a_ptr, b_ptr, position + number + tl.arange(0, 1), start, stop, length,
                        column, valid, a_time, a_column, b_time, b_column,
                        REVERSE, NEIGHBOUR, EXCLUSIVE, ACCUMULATOR,
                    )  # fmt: skip
                    after = gate * state[None, :] + drive
                    if OF_PARTS:
                        after = tl.where(state[None, :] == 0, drive, after)
                    state = tl.sum(after, 0)
                    h = tl.where((lane == number)[:, None], after, h)
        state = tl.sum(tl.where(last, h, 0.0), 0)
        if not SUMMARY:
            kept = (at < stop)[:, None] & valid[None, :]
            if REVERSE:
                at = length - 1 - at
            target = (outer * length + at[:, None]) * columns + column[None, :]
            if EXCLUSIVE:
                factor = tl.load(factor_ptr + target, mask=kept, other=0.0)
                h *= factor.to(ACCUMULATOR)
            tl.store(out_ptr + target, h.to(out_ptr.dtype.element_ty), mask=kept)
        position += BLOCK_TIME
    if SUMMARY:
        tl.store(out_ptr + border, state, mask=valid)
        tl.store(product_ptr + border, product, mask=valid)


@launches
def affine_scan(
    a: Tensor,
    b: Tensor,
    initial: Tensor | None,
    out: Tensor,
    *,
    reverse: bool = False,
    neighbour: bool = False,
    factor: Tensor | None = None,
    parts: int | None = None,
    of_parts: bool = False,
) -> None:
    """Scans axis 1 of (outer, length, columns) tensors into the contiguous `out`.

    `a` and `b` may have any strides; `initial` is (outer, columns). `neighbour` multiplies with
    the gate of the step visited before, and the first step with 1. With `factor`, contiguous, the
    result is factor[i] h[i-1] instead of h[i]. `parts` overrides the number of cuts. `of_parts`: an
    element is what a part of a sequence does, with products that may have overflowed; `b` is then
    what it makes of a state of zero, whatever its product.
    """
    outer, length, columns = b.shape
    if 0 in b.shape:
        return
    accumulator = torch.float64 if out.dtype == torch.float64 else torch.float32
    block_column = block_size(columns, COLUMNS)
    tile = LONE if block_column == 1 else max(ROWS, TILE // block_column)
    block_time = block_size(length, tile)
    programs = outer * -(-columns // block_column)
    if parts is None:
        parts = 1
        if programs < ENOUGH:
            parts = min(-(-PROGRAMS // programs), max(1, length // (4 * block_time)))
    part_length = -(-length // (parts * block_time)) * block_time
    parts = -(-length // part_length)

    def launch(summary: bool, start: Tensor | None, target: Tensor, product: Tensor) -> None:
        _scan_kernel[(programs, parts)](
            a,
            b,
            target if start is None else start,
            target if factor is None else factor,
            target,
            product,
            length,
            columns,
            part_length,
            parts,
            *a.stride(),
            *b.stride(),
            REVERSE=reverse,
            NEIGHBOUR=neighbour,
            EXCLUSIVE=factor is not None and not summary,
            SUMMARY=summary,
            OF_PARTS=of_parts,
            HAS_INITIAL=start is not None,
            ACCUMULATOR=tl.float64 if accumulator == torch.float64 else tl.float32,
            BLOCK_TIME=block_time,
            BLOCK_COLUMN=block_column,
            num_warps=1,
            # products are rounded before they are added, as in the loop: where large ones cancel
            # they leave what it leaves, often 0
            enable_fp_fusion=False,
        )

    starts = None if initial is None else initial.contiguous().to(accumulator)
    if parts > 1:
        ends = torch.empty((outer, parts, columns), dtype=accumulator, device=out.device)
        products = torch.empty_like(ends)
        launch(True, None, ends, products)
        starts = part_borders(products, ends, starts)
    launch(False, starts, out, out)


def part_borders(
    products: Tensor, ends: Tensor, initial: Tensor | None, *, reverse: bool = False
) -> Tensor:
    """The state before each part, from each part's product and its last state from zero.

    `products` and `ends` are (outer, parts, columns), `initial` (outer, columns). `reverse` takes
    the parts from the last to the first; "before" then means after. What is not finite need not be
    the state that the steps themselves lead to: a product may overflow where no state does.
    """
    states = torch.empty_like(ends)
    affine_scan(products, ends, initial, states, reverse=reverse, parts=1, of_parts=True)
    first = torch.zeros_like(ends[:, :1]) if initial is None else initial[:, None].to(ends.dtype)
    both = (states[:, 1:], first) if reverse else (first, states[:, :-1])
    return torch.cat(both, 1)
