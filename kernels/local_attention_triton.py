"""Attention within a band in Triton: the keys around a block of queries, tile by tile.

A program owns a block of queries and walks over the keys that some of them see, with the running
maximum, sum and weighted values in registers; only tiles that an edge of the band or an end of the
sequence cuts are masked. For each query it leaves the logarithm of the sum, from which the backward
pass has the weights again:

    p_ij = exp(s_ij - lse_i)        dv_j = sum_i p_ij do_i
    ds_ij = p_ij (do_i . v_j - do_i . o_i)
    dq_i = scale sum_j ds_ij k_j    dk_j = scale sum_i ds_ij q_i

One kernel walks from blocks of queries over keys for dq, one from blocks of keys over queries, of
all heads that share the key, for dk and dv: nothing is added up in memory. Exponentials and
logarithms are to the base 2. `local_attention` says what is computed.

Source: Dao, "FlashAttention-2: Faster Attention with Better Parallelism and Work Partitioning"
(2023).
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import torch
from torch import Tensor

from .triton_runtime import block_size, launches, shared_memory, tl, triton

WIDEST = 128
"""Channels of a head that a program can hold."""

WIDE_WINDOW = 256
"""Keys a query from which on larger blocks pay, in narrow heads: they leave less of their tiles
unused. Read off an H200 (2026-11-27), a window of 512: 0.026 ms against 0.028 for (2, 8, 2048, 64),
0.27 against 0.22 for (4, 16, 4096, 128)."""

SIZES = ("queries", "keys", "heads", "shared", "left", "right")
"""What a kernel is compiled for all values of."""


class Tiles(NamedTuple):
    """How a program is cut: the rows that it owns, those that it meets at once, its warps, and the
    tiles that are on their way from memory at once, where there is room for them."""

    rows: int
    columns: int
    warps: int
    stages: int


def _float32_tiles(channels: int) -> Tiles:
    """Three products for each, on halves of the numbers: small tiles for any pass."""
    return Tiles(32, 32, 8 if channels > 64 else 4, 2)


def forward_tiles(channels: int, window: int, dtype: torch.dtype) -> Tiles:
    """For heads of so many channels, a power of two, in a window of so many keys."""
    if dtype == torch.float32:
        return _float32_tiles(channels)
    wide = window >= WIDE_WINDOW and channels <= 64
    return Tiles(128 if wide else 64, 64, 4, 3)


def query_tiles(channels: int, dtype: torch.dtype) -> Tiles:
    """As `forward_tiles`, for the gradient of the queries."""
    if dtype == torch.float32:
        return _float32_tiles(channels)
    return Tiles(64, 64, 4, 2)


def key_tiles(channels: int, dtype: torch.dtype) -> Tiles:
    """As `forward_tiles`, for those of keys and values: there are two to hold."""
    if dtype == torch.float32:
        return _float32_tiles(channels)
    return Tiles(64, 32, 4, 3)


@triton.jit
def _walk(  # type: ignore[no-untyped-def]
    start, rows, columns, before, after, ROWS: tl.constexpr, COLUMNS: tl.constexpr
):
    # Row i sees columns i - before to i + after. For the block of rows from `start` on: the first
    # column that is seen, the number of tiles from there, and which of them (from, count) all rows
    # see whole.
    first = tl.maximum(start - before, 0)
    last = tl.minimum(tl.minimum(start + ROWS, rows) + after, columns)
    tiles = tl.cdiv(tl.maximum(last - first, 0), COLUMNS)
    whole = tl.cdiv(tl.maximum(start + ROWS - 1 - before - first, 0), COLUMNS)
    whole = tl.minimum(whole, tiles)
    stop = tl.maximum(tl.minimum(start + after + 1, columns) - first, 0) // COLUMNS
    return first, tiles, whole, tl.maximum(stop - whole, 0)


@triton.jit
def _cut(turn, whole, count):  # type: ignore[no-untyped-def]
    # The tile to take at a turn: all but the whole ones.
    return turn + tl.where(turn >= whole, count, 0)


@triton.jit
def _tile(  # type: ignore[no-untyped-def]
    base, first, end, stride,
    ROWS: tl.constexpr, WIDTH: tl.constexpr, PADDED: tl.constexpr, OPERAND: tl.constexpr,
):  # fmt: skip
    # Rows of a matrix from `first` on, zero behind its end. Products with strides pass 2^31.
    row = tl.arange(0, ROWS)
    channel = tl.arange(0, PADDED)
    start = base + first.to(tl.int64) * stride
    places = start + row.to(tl.int64)[:, None] * stride + channel[None, :]
    kept = (row < end - first)[:, None] & (channel < WIDTH)[None, :]
    return tl.load(places, mask=kept, other=0.0).to(OPERAND)


@triton.jit
def _store(ptr, first, at, inside, found, WIDTH: tl.constexpr, PADDED: tl.constexpr):  # type: ignore[no-untyped-def]
    # Rows of a contiguous matrix, `first` rows from its start.
    channel = tl.arange(0, PADDED)
    places = ptr + (first + at)[:, None] * WIDTH + channel[None, :]
    kept = inside[:, None] & (channel < WIDTH)[None, :]
    tl.store(places, found.to(ptr.dtype.element_ty), mask=kept)


@triton.jit
def _attend(  # type: ignore[no-untyped-def]
    most, total, sums, q, row, k_base, v_base, k_row, v_row, position, keys, left, right, scale,
    MASKED: tl.constexpr, OPERAND: tl.constexpr, PRECISION: tl.constexpr, COLUMNS: tl.constexpr,
    WIDTH: tl.constexpr, V_WIDTH: tl.constexpr, PADDED: tl.constexpr, V_PADDED: tl.constexpr,
):  # fmt: skip
    j = position + tl.arange(0, COLUMNS)
    k = _tile(k_base, position, keys, k_row, COLUMNS, WIDTH, PADDED, OPERAND)
    v = _tile(v_base, position, keys, v_row, COLUMNS, V_WIDTH, V_PADDED, OPERAND)
    s = tl.dot(q, tl.trans(k), input_precision=PRECISION) * scale
    if MASKED:
        s = tl.where(_seen(row[:, None], j[None, :], keys, left, right), s, float("-inf"))
    grown = tl.maximum(most, tl.max(s, 1))
    # a row that has seen nothing so far: no difference of infinities
    base = tl.where(grown == float("-inf"), 0.0, grown)
    p = tl.exp2(s - base[:, None])
    shrunk = tl.exp2(most - base)
    total = total * shrunk + tl.sum(p, 1)
    sums = tl.dot(p.to(OPERAND), v, sums * shrunk[:, None], input_precision=PRECISION)
    return grown, total, sums


@triton.jit
def _seen(i, j, keys, left, right):  # type: ignore[no-untyped-def]
    return (i - j <= left) & (j - i <= right) & (j < keys)


@triton.jit(do_not_specialize=SIZES)
def _forward_kernel(  # type: ignore[no-untyped-def]
    q_ptr,
    k_ptr,
    v_ptr,
    out_ptr,
    kept_ptr,
    lse_ptr,
    queries,
    keys,
    heads,
    shared,
    left,
    right,
    scale,
    q_batch,
    q_head,
    q_row,
    k_batch,
    k_head,
    k_row,
    v_batch,
    v_head,
    v_row,
    KEEP: tl.constexpr,
    OPERAND: tl.constexpr,
    PRECISION: tl.constexpr,
    WIDTH: tl.constexpr,
    V_WIDTH: tl.constexpr,
    PADDED: tl.constexpr,
    V_PADDED: tl.constexpr,
    ROWS: tl.constexpr,
    COLUMNS: tl.constexpr,
    STAGES: tl.constexpr,
):
    # `shared` heads of queries have one head of keys. `out` and `lse` are contiguous, as is
    # `kept`, the copy that the backward pass reads, with KEEP.
    blocks = tl.cdiv(queries, ROWS)
    start = (tl.program_id(0) % blocks) * ROWS
    matrix = (tl.program_id(0) // blocks).to(tl.int64)
    batch, head = matrix // heads, matrix % heads
    k_base = k_ptr + batch * k_batch + head // shared * k_head
    v_base = v_ptr + batch * v_batch + head // shared * v_head
    row = start + tl.arange(0, ROWS)
    inside = row < queries
    q_base = q_ptr + batch * q_batch + head * q_head
    q = _tile(q_base, start, queries, q_row, ROWS, WIDTH, PADDED, OPERAND)
    first, tiles, whole, count = _walk(start, queries, keys, left, right, ROWS, COLUMNS)
    most = tl.full((ROWS,), float("-inf"), tl.float32)
    total = tl.zeros((ROWS,), tl.float32)
    sums = tl.zeros((ROWS, V_PADDED), tl.float32)
    for turn in tl.range(0, tiles - count, num_stages=STAGES):
        most, total, sums = _attend(
            most, total, sums, q, row, k_base, v_base, k_row, v_row,
            first + _cut(turn, whole, count) * COLUMNS, keys, left, right, scale,
            True, OPERAND, PRECISION, COLUMNS, WIDTH, V_WIDTH, PADDED, V_PADDED,
        )  # fmt: skip
    for turn in tl.range(whole, whole + count, num_stages=STAGES):
        most, total, sums = _attend(
            most, total, sums, q, row, k_base, v_base, k_row, v_row,
            first + turn * COLUMNS, keys, left, right, scale,
            False, OPERAND, PRECISION, COLUMNS, WIDTH, V_WIDTH, PADDED, V_PADDED,
        )  # fmt: skip
    total = tl.where(inside, total, 1.0)
    sums = sums / total[:, None]
    _store(out_ptr, matrix * queries, row, inside, sums, V_WIDTH, V_PADDED)
    if KEEP:
        _store(kept_ptr, matrix * queries, row, inside, sums, V_WIDTH, V_PADDED)
        tl.store(lse_ptr + matrix * queries + row, most + tl.log2(total), mask=inside)


@triton.jit
def _query_step(  # type: ignore[no-untyped-def]
    dq, q, do, lse, inner, row, k_base, v_base, k_row, v_row, position, keys, left, right, scale,
    MASKED: tl.constexpr, OPERAND: tl.constexpr, PRECISION: tl.constexpr, COLUMNS: tl.constexpr,
    WIDTH: tl.constexpr, V_WIDTH: tl.constexpr, PADDED: tl.constexpr, V_PADDED: tl.constexpr,
):  # fmt: skip
    j = position + tl.arange(0, COLUMNS)
    k = _tile(k_base, position, keys, k_row, COLUMNS, WIDTH, PADDED, OPERAND)
    v = _tile(v_base, position, keys, v_row, COLUMNS, V_WIDTH, V_PADDED, OPERAND)
    p = tl.exp2(tl.dot(q, tl.trans(k), input_precision=PRECISION) * scale - lse[:, None])
    if MASKED:
        p = tl.where(_seen(row[:, None], j[None, :], keys, left, right), p, 0.0)
    ds = p * (tl.dot(do, tl.trans(v), input_precision=PRECISION) - inner[:, None])
    return tl.dot(ds.to(OPERAND), k, dq, input_precision=PRECISION)


@triton.jit(do_not_specialize=SIZES)
def _query_kernel(  # type: ignore[no-untyped-def]
    q_ptr,
    k_ptr,
    v_ptr,
    do_ptr,
    kept_ptr,
    lse_ptr,
    inner_ptr,
    dq_ptr,
    queries,
    keys,
    heads,
    shared,
    left,
    right,
    scale,
    q_batch,
    q_head,
    q_row,
    k_batch,
    k_head,
    k_row,
    v_batch,
    v_head,
    v_row,
    do_batch,
    do_head,
    do_row,
    OPERAND: tl.constexpr,
    PRECISION: tl.constexpr,
    WIDTH: tl.constexpr,
    V_WIDTH: tl.constexpr,
    PADDED: tl.constexpr,
    V_PADDED: tl.constexpr,
    ROWS: tl.constexpr,
    COLUMNS: tl.constexpr,
    STAGES: tl.constexpr,
):
    # The gradient of the queries; and do . o of each, for the other kernel.
    blocks = tl.cdiv(queries, ROWS)
    start = (tl.program_id(0) % blocks) * ROWS
    matrix = (tl.program_id(0) // blocks).to(tl.int64)
    batch, head = matrix // heads, matrix % heads
    k_base = k_ptr + batch * k_batch + head // shared * k_head
    v_base = v_ptr + batch * v_batch + head // shared * v_head
    row = start + tl.arange(0, ROWS)
    inside = row < queries
    lse = tl.load(lse_ptr + matrix * queries + row, mask=inside, other=0.0)
    q_base = q_ptr + batch * q_batch + head * q_head
    q = _tile(q_base, start, queries, q_row, ROWS, WIDTH, PADDED, OPERAND)
    do_base = do_ptr + batch * do_batch + head * do_head
    do = _tile(do_base, start, queries, do_row, ROWS, V_WIDTH, V_PADDED, OPERAND)
    o_base = kept_ptr + matrix * queries * V_WIDTH
    o = _tile(o_base, start, queries, V_WIDTH, ROWS, V_WIDTH, V_PADDED, OPERAND)
    inner = tl.sum(do.to(tl.float32) * o.to(tl.float32), 1)
    tl.store(inner_ptr + matrix * queries + row, inner, mask=inside)
    first, tiles, whole, count = _walk(start, queries, keys, left, right, ROWS, COLUMNS)
    dq = tl.zeros((ROWS, PADDED), tl.float32)
    for turn in tl.range(0, tiles - count, num_stages=STAGES):
        dq = _query_step(
            dq, q, do, lse, inner, row, k_base, v_base, k_row, v_row,
            first + _cut(turn, whole, count) * COLUMNS, keys, left, right, scale,
            True, OPERAND, PRECISION, COLUMNS, WIDTH, V_WIDTH, PADDED, V_PADDED,
        )  # fmt: skip
    for turn in tl.range(whole, whole + count, num_stages=STAGES):
        dq = _query_step(
            dq, q, do, lse, inner, row, k_base, v_base, k_row, v_row,
            first + turn * COLUMNS, keys, left, right, scale,
            False, OPERAND, PRECISION, COLUMNS, WIDTH, V_WIDTH, PADDED, V_PADDED,
        )  # fmt: skip
    dq = dq * (scale * 0.6931471805599453)  # the scale is to the base 2
    _store(dq_ptr, matrix * queries, row, inside, dq, WIDTH, PADDED)


@triton.jit
def _key_step(  # type: ignore[no-untyped-def]
    dk, dv, k, v, row, q_base, do_base, lse_base, inner_base, q_row, do_row, position, queries,
    left, right, scale,
    MASKED: tl.constexpr, OPERAND: tl.constexpr, PRECISION: tl.constexpr, COLUMNS: tl.constexpr,
    WIDTH: tl.constexpr, V_WIDTH: tl.constexpr, PADDED: tl.constexpr, V_PADDED: tl.constexpr,
):  # fmt: skip
    i = position + tl.arange(0, COLUMNS)
    inside = i < queries
    q = _tile(q_base, position, queries, q_row, COLUMNS, WIDTH, PADDED, OPERAND)
    do = _tile(do_base, position, queries, do_row, COLUMNS, V_WIDTH, V_PADDED, OPERAND)
    lse = tl.load(lse_base + i, mask=inside, other=0.0)
    inner = tl.load(inner_base + i, mask=inside, other=0.0)
    p = tl.exp2(tl.dot(k, tl.trans(q), input_precision=PRECISION) * scale - lse[None, :])
    if MASKED:
        p = tl.where(_seen(row[:, None], i[None, :], queries, right, left), p, 0.0)
    dv = tl.dot(p.to(OPERAND), do, dv, input_precision=PRECISION)
    ds = p * (tl.dot(v, tl.trans(do), input_precision=PRECISION) - inner[None, :])
    dk = tl.dot(ds.to(OPERAND), q, dk, input_precision=PRECISION)
    return dk, dv


@triton.jit(do_not_specialize=SIZES)
def _key_kernel(  # type: ignore[no-untyped-def]
    q_ptr,
    k_ptr,
    v_ptr,
    do_ptr,
    lse_ptr,
    inner_ptr,
    dk_ptr,
    dv_ptr,
    queries,
    keys,
    heads,
    shared,
    left,
    right,
    scale,
    q_batch,
    q_head,
    q_row,
    k_batch,
    k_head,
    k_row,
    v_batch,
    v_head,
    v_row,
    do_batch,
    do_head,
    do_row,
    OPERAND: tl.constexpr,
    PRECISION: tl.constexpr,
    WIDTH: tl.constexpr,
    V_WIDTH: tl.constexpr,
    PADDED: tl.constexpr,
    V_PADDED: tl.constexpr,
    ROWS: tl.constexpr,
    COLUMNS: tl.constexpr,
    STAGES: tl.constexpr,
):
    # The gradients of keys and values. A key is seen by queries the other way round.
    blocks = tl.cdiv(keys, ROWS)
    start = (tl.program_id(0) % blocks) * ROWS
    matrix = (tl.program_id(0) // blocks).to(tl.int64)
    groups = heads // shared
    batch, group = matrix // groups, matrix % groups
    row = start + tl.arange(0, ROWS)
    inside = row < keys
    k_base = k_ptr + batch * k_batch + group * k_head
    k = _tile(k_base, start, keys, k_row, ROWS, WIDTH, PADDED, OPERAND)
    v_base = v_ptr + batch * v_batch + group * v_head
    v = _tile(v_base, start, keys, v_row, ROWS, V_WIDTH, V_PADDED, OPERAND)
    first, tiles, whole, count = _walk(start, keys, queries, right, left, ROWS, COLUMNS)
    dk = tl.zeros((ROWS, PADDED), tl.float32)
    dv = tl.zeros((ROWS, V_PADDED), tl.float32)
    for member in range(shared):
        head = group * shared + member
        q_base = q_ptr + batch * q_batch + head * q_head
        do_base = do_ptr + batch * do_batch + head * do_head
        lse_base = lse_ptr + (batch * heads + head) * queries
        inner_base = inner_ptr + (batch * heads + head) * queries
        for turn in tl.range(0, tiles - count, num_stages=STAGES):
            dk, dv = _key_step(
                dk, dv, k, v, row, q_base, do_base, lse_base, inner_base, q_row, do_row,
                first + _cut(turn, whole, count) * COLUMNS, queries, left, right, scale,
                True, OPERAND, PRECISION, COLUMNS, WIDTH, V_WIDTH, PADDED, V_PADDED,
            )  # fmt: skip
        for turn in tl.range(whole, whole + count, num_stages=STAGES):
            dk, dv = _key_step(
                dk, dv, k, v, row, q_base, do_base, lse_base, inner_base, q_row, do_row,
                first + turn * COLUMNS, queries, left, right, scale,
                False, OPERAND, PRECISION, COLUMNS, WIDTH, V_WIDTH, PADDED, V_PADDED,
            )  # fmt: skip
    dk = dk * (scale * 0.6931471805599453)  # the scale is to the base 2
    _store(dk_ptr, matrix * keys, row, inside, dk, WIDTH, PADDED)
    _store(dv_ptr, matrix * keys, row, inside, dv, V_WIDTH, V_PADDED)


def _rows(tensor: Tensor) -> Tensor:
    """The same numbers with the channels of a row side by side."""
    tensor = tensor.resolve_neg()
    return tensor if tensor.shape[-1] == 1 or tensor.stride(-1) == 1 else tensor.contiguous()


class _Launch:
    """Sizes of one call: q (batch, heads, Lq, D), k and v (batch, heads of keys, Lk, D or Dv)."""

    def __init__(self, q: Tensor, k: Tensor, v: Tensor, window: tuple[int, int], scale: float):
        self.batch, self.heads, self.queries, self.width = q.shape
        self.groups, self.keys, self.v_width = v.shape[1:]
        self.left, self.right = window
        self.scale = scale * math.log2(math.e)
        # half types multiply as they are, with sums in float32; the interpreter has no bfloat16
        half = q.dtype if q.is_cuda else torch.float32
        operand = {torch.float16: tl.float16, torch.bfloat16: tl.bfloat16}.get(half, tl.float32)
        self.padded = max(16, block_size(self.width, WIDEST))
        self.v_padded = max(16, block_size(self.v_width, WIDEST))
        self.channels = max(self.padded, self.v_padded)
        self.room = shared_memory(q.device) // q.element_size()
        self.constants = {
            "OPERAND": operand,
            "PRECISION": "tf32x3" if operand == tl.float32 else "ieee",
            "WIDTH": self.width,
            "V_WIDTH": self.v_width,
            "PADDED": self.padded,
            "V_PADDED": self.v_padded,
        }

    def sizes(self, *tensors: Tensor) -> tuple[int | float, ...]:
        strides = (stride for each in tensors for stride in each.stride()[:-1])
        shared = self.heads // self.groups
        sizes = (self.queries, self.keys, self.heads, shared, self.left, self.right, self.scale)
        return (*sizes, *strides)

    def cut(self, tiles: Tiles, length: int, heads: int) -> tuple[tuple[int], dict[str, Any]]:
        """The grid for matrices of `length` rows, and the constants of its programs."""
        # some of the room is for the tiles that are owned, and for weights
        tile = (self.padded + self.v_padded) * tiles.columns
        own = (self.padded + self.v_padded + tiles.columns) * tiles.rows
        stages = max(1, min(tiles.stages, (self.room - own) // tile))
        constants = {"ROWS": tiles.rows, "COLUMNS": tiles.columns, "STAGES": stages}
        grid = (self.batch * heads * -(-length // tiles.rows),)
        return grid, {**self.constants, **constants, "num_warps": tiles.warps}


@launches
def forward_triton(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    window: tuple[int, int],
    scale: float,
    out: Tensor,
    kept: Tensor | None,
    lse: Tensor | None,
    *,
    tiles: Tiles | None = None,
) -> None:
    """Writes the result to `out`, and to `kept` and `lse` what `backward_triton` reads; all are
    contiguous. `tiles` overrides the choice of them."""
    q, k, v = _rows(q), _rows(k), _rows(v)
    launch = _Launch(q, k, v, window, scale)
    tiles = tiles or forward_tiles(launch.channels, sum(window) + 1, q.dtype)
    grid, constants = launch.cut(tiles, launch.queries, launch.heads)
    _forward_kernel[grid](
        q,
        k,
        v,
        out,
        out if kept is None else kept,
        out if lse is None else lse,
        *launch.sizes(q, k, v),
        KEEP=kept is not None,
        **constants,
    )


@launches
def backward_triton(
    do: Tensor,
    q: Tensor,
    k: Tensor,
    v: Tensor,
    kept: Tensor,
    lse: Tensor,
    window: tuple[int, int],
    scale: float,
    dq: Tensor,
    dk: Tensor,
    dv: Tensor,
    *,
    tiles: tuple[Tiles, Tiles] | None = None,
) -> None:
    """Writes the gradients of q, k and v to contiguous tensors. `tiles` overrides the choice of
    them, for the queries and for the keys."""
    do, q, k, v = _rows(do), _rows(q), _rows(k), _rows(v)
    launch = _Launch(q, k, v, window, scale)
    if tiles is None:
        tiles = query_tiles(launch.channels, q.dtype), key_tiles(launch.channels, q.dtype)
    inner = torch.empty_like(lse)
    sizes = launch.sizes(q, k, v, do)
    grid, constants = launch.cut(tiles[0], launch.queries, launch.heads)
    _query_kernel[grid](q, k, v, do, kept, lse, inner, dq, *sizes, **constants)
    grid, constants = launch.cut(tiles[1], launch.keys, launch.groups)
    _key_kernel[grid](q, k, v, do, lse, inner, dk, dv, *sizes, **constants)
