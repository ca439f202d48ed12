"""Distances of all pairs of rows in Triton, and the gradients of them.

A program owns a tile of pairs and goes through the entries of the rows: each is loaded once for a
row and once for a column of the tile, and what is summed stays in registers. The gradient of a row
is a sum over the columns that goes the same way, with the entries of a row as the tile's columns.
`squared_distances` says what is computed.

Source: Nyland, Harris and Prins, "Fast N-Body Simulation with CUDA", GPU Gems 3 (2007), chapter 31,
whose tiles these are.
"""

from __future__ import annotations

import torch
from torch import Tensor

from .triton_runtime import block_size, launches, tl, triton

SIDE = 64
"""Rows, and columns, of a tile of pairs."""

TERMS = 256
"""Summands of a gradient that are added up before their sum is added to those before it: of many
thousands added one by one too many digits would be lost."""

PROGRAMS = 1056
"""Programs to aim for when cutting the sums: eight for each processor of a large GPU."""


@triton.jit
def _distances_kernel(  # type: ignore[no-untyped-def]
    x_ptr,
    y_ptr,
    out_ptr,
    rows,
    columns,
    width,
    ROOT: tl.constexpr,
    ACCUMULATOR: tl.constexpr,
    SIDE: tl.constexpr,
):
    # x is (batch, width, rows), y (batch, width, columns), out (batch, rows, columns)
    tile = tl.program_id(0).to(tl.int64)
    across = tl.cdiv(columns, SIDE)
    down = tl.cdiv(rows, SIDE)
    layer = tile // (across * down)
    i = (tile // across) % down * SIDE + tl.arange(0, SIDE)
    j = tile % across * SIDE + tl.arange(0, SIDE)
    x = x_ptr + layer * width * rows + i
    y = y_ptr + layer * width * columns + j
    total = tl.zeros((SIDE, SIDE), ACCUMULATOR)
    entry = 0
    while entry < width:
        apart = (
            tl.load(x, mask=i < rows, other=0.0)[:, None]
            - tl.load(y, mask=j < columns, other=0.0)[None, :]
        )
        total += apart * apart
        x += rows
        y += columns
        entry += 1
    if ROOT:
        # of float32 the quick root is not the nearest number
        total = tl.sqrt_rn(total) if total.dtype == tl.float32 else tl.sqrt(total)
    there = (i < rows)[:, None] & (j < columns)[None, :]
    out = out_ptr + (layer * rows + i)[:, None] * columns + j[None, :]
    tl.store(out, total, mask=there)


@triton.jit
def _pulls_kernel(  # type: ignore[no-untyped-def]
    x_ptr,
    y_ptr,
    weights_ptr,
    out_ptr,
    batch,
    rows,
    columns,
    width,
    part_length,
    ACCUMULATOR: tl.constexpr,
    ROWS: tl.constexpr,
    WIDTH: tl.constexpr,
    TERMS: tl.constexpr,
):
    # x is (batch, rows, width), y (batch, columns, width), weights (batch, columns, rows), out
    # (parts, batch, rows, width)
    tile = tl.program_id(0).to(tl.int64)
    part = tl.program_id(1).to(tl.int64)
    across = tl.cdiv(width, WIDTH)
    down = tl.cdiv(rows, ROWS)
    layer = tile // (across * down)
    i = (tile // across) % down * ROWS + tl.arange(0, ROWS)
    d = tile % across * WIDTH + tl.arange(0, WIDTH)
    there = (i < rows)[:, None] & (d < width)[None, :]
    place = (layer * rows + i)[:, None] * width + d[None, :]
    x = tl.load(x_ptr + place, mask=there, other=0.0)
    total = tl.zeros((ROWS, WIDTH), ACCUMULATOR)
    column = part * part_length
    stop = tl.minimum(column + part_length, columns)
    while column < stop:
        some = tl.zeros((ROWS, WIDTH), ACCUMULATOR)
        until = tl.minimum(column + TERMS, stop)
        while column < until:
            at = layer * columns + column
            weight = tl.load(weights_ptr + at * rows + i, mask=i < rows, other=0.0)
            y = tl.load(y_ptr + at * width + d, mask=d < width, other=0.0)
            some += weight[:, None] * (x - y[None, :])
            column += 1
        total += some
    tl.store(out_ptr + part * batch * rows * width + place, total, mask=there)


@launches
def distances(x: Tensor, y: Tensor, *, root: bool) -> Tensor:
    """Of x (batch, n, d) and y (batch, m, d), float32 or float64, the squares (batch, n, m) of the
    distances, or the distances."""
    batch, rows, width = x.shape
    columns = y.shape[1]
    found = x.new_empty((batch, rows, columns))
    tiles = batch * -(-rows // SIDE) * -(-columns // SIDE)
    _distances_kernel[(tiles,)](
        x.mT.contiguous(),
        y.mT.contiguous(),
        found,
        rows,
        columns,
        width,
        ROOT=root,
        ACCUMULATOR=tl.float64 if x.dtype == torch.float64 else tl.float32,
        SIDE=SIDE,
    )
    return found


@launches
def pulls(x: Tensor, y: Tensor, weights: Tensor, *, parts: int = 0) -> Tensor:
    """What the rows of y pull at those of x: sum_m weights_mn (x_n - y_m).

    x: (batch, n, d); y: (batch, m, d); weights: (batch, m, n); float32 or float64. `parts` is the
    number of cuts of the sums, 0 for as many as fill the GPU. Returns (batch, n, d).
    """
    batch, rows, width = x.shape
    columns = y.shape[1]
    wide = block_size(width, SIDE)
    high = max(16, SIDE * SIDE // 2 // wide)
    tiles = batch * -(-rows // high) * -(-width // wide)
    parts = parts or max(1, min(PROGRAMS // tiles, -(-columns // TERMS)))
    part_length = -(-columns // parts)
    parts = -(-columns // part_length)
    found = x.new_empty((parts, batch, rows, width))
    _pulls_kernel[(tiles, parts)](
        x.contiguous(),
        y.contiguous(),
        weights.contiguous(),
        found,
        batch,
        rows,
        columns,
        width,
        part_length,
        ACCUMULATOR=tl.float64 if x.dtype == torch.float64 else tl.float32,
        ROWS=high,
        WIDTH=wide,
        TERMS=TERMS,
    )
    return found.sum(0) if parts > 1 else found[0]
