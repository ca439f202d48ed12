"""Linear attention in Triton: the state in registers, forward, and backward with its states again.

A program owns all rows and BLOCK columns of one matrix and walks a part of the sequence step by
step, so that any decay is exact. Parts are whole chunks; what each passes on is found first, from
zero, and summed up by `triton_scan.part_borders`. The backward pass walks the chunks from the last
to the first: the states at their starts are kept by a forward walk, those inside are computed again
into a scratch row of the program. `linear_attention` says what is computed.
"""

from __future__ import annotations

import torch
from torch import Tensor

from .triton_runtime import block_size, launches, tl, triton
from .triton_scan import part_borders

PROGRAMS = 1056
"""Programs to aim for when cutting the sequence: eight for each processor of a large GPU."""

CHUNK = 16
"""Steps whose states the backward pass has at once."""

LARGEST_ROWS = 256
"""Rows of a state that a program can hold beside its gradient."""

TILE = 2048
"""Elements of a state that one program holds."""


@triton.jit
def _summary_kernel(  # type: ignore[no-untyped-def]
    k_ptr,
    v_ptr,
    a_ptr,
    end_ptr,
    product_ptr,
    length,
    channels,
    width,
    part_length,
    parts,
    a_g,
    a_t,
    a_d,
    HAS_DECAY: tl.constexpr,
    ADJOINT: tl.constexpr,
    ACCUMULATOR: tl.constexpr,
    ROWS: tl.constexpr,
    BLOCK: tl.constexpr,
):
    # What a part makes of a zero state. The adjoint walks back, and decays after adding.
    blocks = tl.cdiv(width, BLOCK)
    program = tl.program_id(0).to(tl.int64)
    part = tl.program_id(1).to(tl.int64)
    g = program // blocks
    column = (program % blocks) * BLOCK + tl.arange(0, BLOCK)
    row = tl.arange(0, ROWS)
    decays = row.to(tl.int64) * a_d
    kept, valid = row < channels, column < width
    both = kept[:, None] & valid[None, :]
    S = tl.zeros((ROWS, BLOCK), ACCUMULATOR)
    product = tl.full((ROWS,), 1, ACCUMULATOR)
    start = part * part_length
    count = tl.minimum(start + part_length, length) - start
    i = tl.zeros((), tl.int64)
    while i < count:
        t = start + i
        if ADJOINT:
            t = start + count - 1 - i
        k = tl.load(k_ptr + (g * length + t) * channels + row, mask=kept, other=0.0)
        v = tl.load(v_ptr + (g * length + t) * width + column, mask=valid, other=0.0)
        added = k.to(ACCUMULATOR)[:, None] * v.to(ACCUMULATOR)[None, :]
        if ADJOINT:
            S += added
        if HAS_DECAY:
            a = tl.load(a_ptr + g * a_g + t * a_t + decays, mask=kept, other=1.0).to(ACCUMULATOR)
            S = S * a[:, None]
            product = product * a
        if not ADJOINT:
            S += added
        i += 1
    border = (g * parts + part) * channels * width + row[:, None] * width + column[None, :]
    tl.store(end_ptr + border, S, mask=both)
    tl.store(product_ptr + border, product[:, None] + tl.zeros_like(S), mask=both)


@triton.jit
def _forward_kernel(  # type: ignore[no-untyped-def]
    q_ptr,
    k_ptr,
    v_ptr,
    a_ptr,
    initial_ptr,
    o_ptr,
    end_ptr,
    border_ptr,
    length,
    channels,
    width,
    part_length,
    parts,
    chunk,
    a_g,
    a_t,
    a_d,
    HAS_DECAY: tl.constexpr,
    HAS_INITIAL: tl.constexpr,
    KEEP: tl.constexpr,
    ACCUMULATOR: tl.constexpr,
    ROWS: tl.constexpr,
    BLOCK: tl.constexpr,
):
    # With KEEP the states at the starts of the chunks, without it the outputs and the last state.
    blocks = tl.cdiv(width, BLOCK)
    program = tl.program_id(0).to(tl.int64)
    part = tl.program_id(1).to(tl.int64)
    g = program // blocks
    column = (program % blocks) * BLOCK + tl.arange(0, BLOCK)
    row = tl.arange(0, ROWS)
    decays = row.to(tl.int64) * a_d
    kept, valid = row < channels, column < width
    both = kept[:, None] & valid[None, :]
    matrix = row[:, None] * width + column[None, :]
    size = channels * width
    S = tl.zeros((ROWS, BLOCK), ACCUMULATOR)
    if HAS_INITIAL:
        S = tl.load(initial_ptr + (g * parts + part) * size + matrix, mask=both, other=0.0)
        S = S.to(ACCUMULATOR)
    chunks = tl.cdiv(length, chunk)
    t = part * part_length
    stop = tl.minimum(t + part_length, length)
    while t < stop:
        if KEEP:
            if t % chunk == 0:
                tl.store(border_ptr + (g * chunks + t // chunk) * size + matrix, S, mask=both)
        k = tl.load(k_ptr + (g * length + t) * channels + row, mask=kept, other=0.0)
        v = tl.load(v_ptr + (g * length + t) * width + column, mask=valid, other=0.0)
        if HAS_DECAY:
            a = tl.load(a_ptr + g * a_g + t * a_t + decays, mask=kept, other=1.0).to(ACCUMULATOR)
            S = S * a[:, None]
        S += k.to(ACCUMULATOR)[:, None] * v.to(ACCUMULATOR)[None, :]
        if not KEEP:
            q = tl.load(q_ptr + (g * length + t) * channels + row, mask=kept, other=0.0)
            o = tl.sum(S * q.to(ACCUMULATOR)[:, None], 0)
            place = (g * length + t) * width + column
            tl.store(o_ptr + place, o.to(o_ptr.dtype.element_ty), mask=valid)
        t += 1
    if not KEEP:
        if part == parts - 1:
            tl.store(end_ptr + g * size + matrix, S.to(end_ptr.dtype.element_ty), mask=both)


@triton.jit
def _backward_kernel(  # type: ignore[no-untyped-def]
    do_ptr,
    q_ptr,
    k_ptr,
    v_ptr,
    a_ptr,
    later_ptr,
    border_ptr,
    scratch_ptr,
    dq_ptr,
    dk_ptr,
    dv_ptr,
    da_ptr,
    dinitial_ptr,
    batch,
    length,
    channels,
    width,
    part_length,
    parts,
    chunk,
    a_g,
    a_t,
    a_d,
    HAS_DECAY: tl.constexpr,
    HAS_LATER: tl.constexpr,
    ACCUMULATOR: tl.constexpr,
    ROWS: tl.constexpr,
    BLOCK: tl.constexpr,
):
    blocks = tl.cdiv(width, BLOCK)
    program = tl.program_id(0).to(tl.int64)
    part = tl.program_id(1).to(tl.int64)
    g = program // blocks
    block = program % blocks
    column = block * BLOCK + tl.arange(0, BLOCK)
    row = tl.arange(0, ROWS)
    decays = row.to(tl.int64) * a_d
    kept, valid = row < channels, column < width
    both = kept[:, None] & valid[None, :]
    matrix = row[:, None] * width + column[None, :]
    size = channels * width
    R = tl.zeros((ROWS, BLOCK), ACCUMULATOR)
    if HAS_LATER:
        R = tl.load(later_ptr + (g * parts + part) * size + matrix, mask=both, other=0.0)
        R = R.to(ACCUMULATOR)
    tile = tl.arange(0, ROWS)[:, None] * BLOCK + tl.arange(0, BLOCK)[None, :]
    scratch = scratch_ptr + (program * parts + part) * chunk * ROWS * BLOCK + tile
    chunks = tl.cdiv(length, chunk)
    start = part * part_length
    stop = tl.minimum(start + part_length, length)
    first = start + (stop - 1 - start) // chunk * chunk
    while first >= start:
        S = tl.load(
            border_ptr + (g * chunks + first // chunk) * size + matrix, mask=both, other=0.0
        )
        end = tl.minimum(first + chunk, stop)
        t = first
        while t < end:
            tl.store(scratch + (t - first) * ROWS * BLOCK, S)
            k = tl.load(k_ptr + (g * length + t) * channels + row, mask=kept, other=0.0)
            v = tl.load(v_ptr + (g * length + t) * width + column, mask=valid, other=0.0)
            if HAS_DECAY:
                a = tl.load(a_ptr + g * a_g + t * a_t + decays, mask=kept, other=1.0)
                S = S * a.to(ACCUMULATOR)[:, None]
            S += k.to(ACCUMULATOR)[:, None] * v.to(ACCUMULATOR)[None, :]
            t += 1
        # the scratch row is read back by other threads than wrote it
        tl.debug_barrier()
        t = end - 1
        while t >= first:
            before = tl.load(scratch + (t - first) * ROWS * BLOCK)
            q = tl.load(q_ptr + (g * length + t) * channels + row, mask=kept, other=0.0)
            k = tl.load(k_ptr + (g * length + t) * channels + row, mask=kept, other=0.0)
            v = tl.load(v_ptr + (g * length + t) * width + column, mask=valid, other=0.0)
            do = tl.load(do_ptr + (g * length + t) * width + column, mask=valid, other=0.0)
            k, v, do = k.to(ACCUMULATOR), v.to(ACCUMULATOR), do.to(ACCUMULATOR)
            R += q.to(ACCUMULATOR)[:, None] * do[None, :]
            # columns of other programs add to these: one share a block, summed afterwards
            share = ((block * batch + g) * length + t) * channels + row
            S = before
            if HAS_DECAY:
                a = tl.load(a_ptr + g * a_g + t * a_t + decays, mask=kept, other=1.0)
                S = before * a.to(ACCUMULATOR)[:, None]
                tl.store(da_ptr + share, tl.sum(R * before, 1), mask=kept)
            S += k[:, None] * v[None, :]
            tl.store(dq_ptr + share, tl.sum(S * do[None, :], 1), mask=kept)
            tl.store(dk_ptr + share, tl.sum(R * v[None, :], 1), mask=kept)
            dv = tl.sum(R * k[:, None], 0)
            place = (g * length + t) * width + column
            tl.store(dv_ptr + place, dv.to(dv_ptr.dtype.element_ty), mask=valid)
            if HAS_DECAY:
                R = R * a.to(ACCUMULATOR)[:, None]
            t -= 1
        tl.debug_barrier()
        first -= chunk
    if part == 0:
        whole = g * size + matrix
        tl.store(dinitial_ptr + whole, R.to(dinitial_ptr.dtype.element_ty), mask=both)


class _Launch:
    """Shapes and the cut of one call on the GPU."""

    def __init__(
        self, k: Tensor, v: Tensor, decay: Tensor | None, dtype: torch.dtype, parts: int | None
    ) -> None:
        self.batch, self.length, self.channels = k.shape
        self.width = v.shape[2]
        self.dtype = dtype
        rows = block_size(self.channels, LARGEST_ROWS)
        block = block_size(self.width, max(1, TILE // rows))
        self.blocks = -(-self.width // block)
        self.programs = self.batch * self.blocks
        self.chunks = -(-self.length // CHUNK)
        if parts is None:
            parts = max(1, min(self.chunks // 4, PROGRAMS // self.programs))
        self.part_length = -(-self.chunks // parts) * CHUNK
        self.parts = -(-self.length // self.part_length)
        self.decay = k if decay is None else decay
        strides = (0, 0, 0)
        if decay is not None:
            # one decay for all steps, or for all channels, is read again
            sizes = zip(decay.shape, decay.stride(), strict=True)
            strides = tuple(0 if size == 1 else stride for size, stride in sizes)  # type: ignore[assignment]
        self.strides = strides
        self.constants = {
            "HAS_DECAY": decay is not None,
            "ACCUMULATOR": tl.float64 if dtype == torch.float64 else tl.float32,
            "ROWS": rows,
            "BLOCK": block,
        }
        self.tile = rows * block

    @property
    def grid(self) -> tuple[int, int]:
        return self.programs, self.parts

    def sizes(self) -> tuple[int, ...]:
        return self.length, self.channels, self.width, self.part_length, self.parts

    def borders(
        self, k: Tensor, v: Tensor, state: Tensor | None, *, adjoint: bool
    ) -> Tensor | None:
        """The state at the start of each part (its gradient at the end), (G, parts, D E)."""
        if state is not None:
            state = state.to(self.dtype).reshape(self.batch, -1)
        if self.parts == 1:
            return state
        shape = (self.batch, self.parts, self.channels * self.width)
        ends = k.new_empty(shape, dtype=self.dtype)
        products = torch.empty_like(ends)
        _summary_kernel[self.grid](
            k,
            v,
            self.decay,
            ends,
            products,
            *self.sizes(),
            *self.strides,
            ADJOINT=adjoint,
            **self.constants,
        )
        return part_borders(products, ends, state, reverse=adjoint)

    def forward(
        self,
        q: Tensor,
        k: Tensor,
        v: Tensor,
        starts: Tensor | None,
        o: Tensor,
        final: Tensor,
        borders: Tensor,
        *,
        keep: bool,
    ) -> None:
        _forward_kernel[self.grid](
            q,
            k,
            v,
            self.decay,
            k if starts is None else starts,
            o,
            final,
            borders,
            *self.sizes(),
            CHUNK,
            *self.strides,
            HAS_INITIAL=starts is not None,
            KEEP=keep,
            **self.constants,
        )


@launches
def forward_triton(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    decay: Tensor | None,
    initial_state: Tensor | None,
    o: Tensor,
    final: Tensor,
    dtype: torch.dtype,
    *,
    parts: int | None = None,
) -> None:
    """Writes the outputs and the final state to `o` and `final`. `parts` overrides the number of
    cuts."""
    q, k, v = q.contiguous(), k.contiguous(), v.contiguous()
    launch = _Launch(k, v, decay, dtype, parts)
    starts = launch.borders(k, v, initial_state, adjoint=False)
    launch.forward(q, k, v, starts, o, final, final, keep=False)


@launches
def backward_triton(
    do: Tensor,
    dfinal: Tensor | None,
    q: Tensor,
    k: Tensor,
    v: Tensor,
    decay: Tensor | None,
    initial_state: Tensor | None,
    dv: Tensor,
    dinitial: Tensor,
    dtype: torch.dtype,
    *,
    parts: int | None = None,
) -> tuple[Tensor, Tensor, Tensor | None]:
    """Writes the gradients of v and of the initial state; returns those of q, k and the decay, the
    latter for every step and channel."""
    q, k, v, do = (each.contiguous() for each in (q, k, v, do))
    launch = _Launch(k, v, decay, dtype, parts)
    starts = launch.borders(k, v, initial_state, adjoint=False)
    later = launch.borders(q, do, dfinal, adjoint=True)
    shape = (launch.batch, launch.chunks, launch.channels, launch.width)
    borders = k.new_empty(shape, dtype=dtype)
    launch.forward(q, k, v, starts, dv, dinitial, borders, keep=True)
    scratch = k.new_empty(launch.programs * launch.parts * CHUNK * launch.tile, dtype=dtype)
    shares = [
        k.new_empty((launch.blocks, *k.shape), dtype=dtype) for _ in range(2 + (decay is not None))
    ]
    _backward_kernel[launch.grid](
        do,
        q,
        k,
        v,
        launch.decay,
        k if later is None else later,
        borders,
        scratch,
        shares[0],
        shares[1],
        dv,
        shares[-1],
        dinitial,
        launch.batch,
        *launch.sizes(),
        CHUNK,
        *launch.strides,
        HAS_LATER=later is not None,
        **launch.constants,
    )
    dq, dk, *rest = (each.sum(0) for each in shares)
    return dq, dk, rest[0] if rest else None
