"""The selective scan in Triton: the forward pass, its adjoint over parts, and the backward pass.

A program owns BLOCK channels of one group, with all their states in registers, and walks a part
of the sequence step by step. Parts are whole chunks, at whose borders the states are kept. The
backward pass walks the chunks from the last to the first: the states of one chunk are computed
again into a scratch row of the program. `selective_scan` says what is computed.
"""

from __future__ import annotations

import torch
from torch import Tensor

from .triton_runtime import block_size, tl, triton
from .triton_scan import part_borders

PROGRAMS = 1056
"""Programs to aim for when cutting the sequence: eight for each processor of a large GPU."""


@triton.jit
def _place(groups, width, BLOCK: tl.constexpr, STATES: tl.constexpr):  # type: ignore[no-untyped-def]
    # What a program owns: batch, group, its block of the group's channels, these channels within
    # the group and among all, and their states.
    blocks = tl.cdiv(width, BLOCK)
    program = tl.program_id(0).to(tl.int64)
    block = program % blocks
    within = block * BLOCK + tl.arange(0, BLOCK)
    group = (program // blocks) % groups
    b = program // blocks // groups
    return b, group, block, within, group * width + within, tl.arange(0, STATES)


@triton.jit
def _row(pointer, per_batch, per_step, per_place, b, t, places, mask):  # type: ignore[no-untyped-def]
    return tl.load(
        pointer + b * per_batch + t * per_step + places * per_place, mask=mask, other=0.0
    )


@triton.jit
def _forward_kernel(  # type: ignore[no-untyped-def]
    x_ptr,
    delta_ptr,
    A_ptr,
    B_ptr,
    C_ptr,
    initial_ptr,
    y_ptr,
    end_ptr,
    product_ptr,
    border_ptr,
    batch,
    length,
    groups,
    width,
    states,
    part_length,
    parts,
    chunk,
    x_b,
    x_t,
    x_d,
    delta_b,
    delta_t,
    delta_d,
    B_b,
    B_t,
    B_g,
    B_n,
    C_b,
    C_t,
    C_g,
    C_n,
    SUMMARY: tl.constexpr,
    HAS_INITIAL: tl.constexpr,
    ACCUMULATOR: tl.constexpr,
    BLOCK: tl.constexpr,
    STATES: tl.constexpr,
):
    part = tl.program_id(1).to(tl.int64)
    b, group, _, within, channel, state = _place(groups, width, BLOCK, STATES)
    valid, kept = within < width, state < states
    both = valid[:, None] & kept[None, :]
    matrix = channel[:, None] * states + state[None, :]
    A = tl.load(A_ptr + matrix, mask=both, other=0.0).to(ACCUMULATOR)
    border = (b * parts + part) * groups * width * states + matrix
    h = tl.zeros((BLOCK, STATES), ACCUMULATOR)
    if HAS_INITIAL:
        h = tl.load(initial_ptr + border, mask=both, other=0.0).to(ACCUMULATOR)
    passed = tl.zeros((BLOCK,), ACCUMULATOR)
    t = part * part_length
    stop = tl.minimum(t + part_length, length)
    kept_border = ((b * groups + group) * states + state[None, :]) * width + within[:, None]
    while t < stop:
        if not SUMMARY:
            if t % chunk == 0:
                number = (t // chunk) * batch * groups * states * width
                tl.store(border_ptr + number + kept_border, h, mask=both)
        x = _row(x_ptr, x_b, x_t, x_d, b, t, channel, valid)
        delta = _row(delta_ptr, delta_b, delta_t, delta_d, b, t, channel, valid).to(ACCUMULATOR)
        B = _row(B_ptr + group * B_g, B_b, B_t, B_n, b, t, state, kept)
        drive = x.to(ACCUMULATOR)[:, None] * B.to(ACCUMULATOR)[None, :]
        h = tl.exp(delta[:, None] * A) * h + drive
        if SUMMARY:
            passed += delta
        else:
            C = _row(C_ptr + group * C_g, C_b, C_t, C_n, b, t, state, kept).to(ACCUMULATOR)
            y = tl.sum(h * C[None, :], 1)
            place = (b * length + t) * groups * width + channel
            tl.store(y_ptr + place, y.to(y_ptr.dtype.element_ty), mask=valid)
        t += 1
    if SUMMARY:
        tl.store(product_ptr + border, tl.exp(passed[:, None] * A), mask=both)
        tl.store(end_ptr + border, h, mask=both)
    elif part == parts - 1:
        whole = b * groups * width * states + matrix
        tl.store(end_ptr + whole, h.to(end_ptr.dtype.element_ty), mask=both)


@triton.jit
def _adjoint_kernel(  # type: ignore[no-untyped-def]
    dy_ptr,
    delta_ptr,
    A_ptr,
    C_ptr,
    end_ptr,
    product_ptr,
    length,
    groups,
    width,
    states,
    part_length,
    parts,
    dy_b,
    dy_t,
    dy_d,
    delta_b,
    delta_t,
    delta_d,
    C_b,
    C_t,
    C_g,
    C_n,
    ACCUMULATOR: tl.constexpr,
    BLOCK: tl.constexpr,
    STATES: tl.constexpr,
):
    # What a part passes on to the steps before it, when nothing reaches it from those after it.
    part = tl.program_id(1).to(tl.int64)
    b, group, _, within, channel, state = _place(groups, width, BLOCK, STATES)
    valid, kept = within < width, state < states
    both = valid[:, None] & kept[None, :]
    matrix = channel[:, None] * states + state[None, :]
    A = tl.load(A_ptr + matrix, mask=both, other=0.0).to(ACCUMULATOR)
    later = tl.zeros((BLOCK, STATES), ACCUMULATOR)
    passed = tl.zeros((BLOCK,), ACCUMULATOR)
    start = part * part_length
    t = tl.minimum(start + part_length, length) - 1
    while t >= start:
        dy = _row(dy_ptr, dy_b, dy_t, dy_d, b, t, channel, valid)
        delta = _row(delta_ptr, delta_b, delta_t, delta_d, b, t, channel, valid).to(ACCUMULATOR)
        C = _row(C_ptr + group * C_g, C_b, C_t, C_n, b, t, state, kept)
        g = later + dy.to(ACCUMULATOR)[:, None] * C.to(ACCUMULATOR)[None, :]
        later = tl.exp(delta[:, None] * A) * g
        passed += delta
        t -= 1
    border = (b * parts + part) * groups * width * states + matrix
    tl.store(product_ptr + border, tl.exp(passed[:, None] * A), mask=both)
    tl.store(end_ptr + border, later, mask=both)


@triton.jit
def _backward_kernel(  # type: ignore[no-untyped-def]
    dy_ptr,
    x_ptr,
    delta_ptr,
    A_ptr,
    B_ptr,
    C_ptr,
    later_ptr,
    border_ptr,
    scratch_ptr,
    dx_ptr,
    ddelta_ptr,
    dA_ptr,
    dB_ptr,
    dC_ptr,
    dinitial_ptr,
    batch,
    length,
    groups,
    width,
    states,
    part_length,
    parts,
    chunk,
    dy_b,
    dy_t,
    dy_d,
    x_b,
    x_t,
    x_d,
    delta_b,
    delta_t,
    delta_d,
    B_b,
    B_t,
    B_g,
    B_n,
    C_b,
    C_t,
    C_g,
    C_n,
    HAS_LATER: tl.constexpr,
    ACCUMULATOR: tl.constexpr,
    BLOCK: tl.constexpr,
    STATES: tl.constexpr,
):
    program = tl.program_id(0).to(tl.int64)
    part = tl.program_id(1).to(tl.int64)
    b, group, block, within, channel, state = _place(groups, width, BLOCK, STATES)
    valid, kept = within < width, state < states
    both = valid[:, None] & kept[None, :]
    matrix = channel[:, None] * states + state[None, :]
    A = tl.load(A_ptr + matrix, mask=both, other=0.0).to(ACCUMULATOR)
    dA = tl.zeros((BLOCK, STATES), ACCUMULATOR)
    border = (b * parts + part) * groups * width * states + matrix
    later = tl.zeros((BLOCK, STATES), ACCUMULATOR)
    if HAS_LATER:
        later = tl.load(later_ptr + border, mask=both, other=0.0).to(ACCUMULATOR)
    kept_border = ((b * groups + group) * states + state[None, :]) * width + within[:, None]
    row = tl.arange(0, BLOCK)[:, None] * STATES + state[None, :]
    scratch = scratch_ptr + (program * parts + part) * chunk * BLOCK * STATES + row
    start = part * part_length
    stop = tl.minimum(start + part_length, length)
    first = start + (stop - 1 - start) // chunk * chunk
    while first >= start:
        number = (first // chunk) * batch * groups * states * width
        h = tl.load(border_ptr + number + kept_border, mask=both, other=0.0)
        end = tl.minimum(first + chunk, stop)
        t = first
        while t < end:
            tl.store(scratch + (t - first) * BLOCK * STATES, h)
            x = _row(x_ptr, x_b, x_t, x_d, b, t, channel, valid)
            delta = _row(delta_ptr, delta_b, delta_t, delta_d, b, t, channel, valid).to(ACCUMULATOR)
            B = _row(B_ptr + group * B_g, B_b, B_t, B_n, b, t, state, kept)
            drive = x.to(ACCUMULATOR)[:, None] * B.to(ACCUMULATOR)[None, :]
            h = tl.exp(delta[:, None] * A) * h + drive
            t += 1
        # the scratch row is read back by other threads than wrote it
        tl.debug_barrier()
        t = end - 1
        while t >= first:
            before = tl.load(scratch + (t - first) * BLOCK * STATES)
            x = _row(x_ptr, x_b, x_t, x_d, b, t, channel, valid)
            x = x.to(ACCUMULATOR)
            dy = _row(dy_ptr, dy_b, dy_t, dy_d, b, t, channel, valid)
            dy = dy.to(ACCUMULATOR)
            delta = _row(delta_ptr, delta_b, delta_t, delta_d, b, t, channel, valid).to(ACCUMULATOR)
            B = _row(B_ptr + group * B_g, B_b, B_t, B_n, b, t, state, kept)
            B = B.to(ACCUMULATOR)
            C = _row(C_ptr + group * C_g, C_b, C_t, C_n, b, t, state, kept)
            C = C.to(ACCUMULATOR)
            carried = tl.exp(delta[:, None] * A) * before
            h = carried + x[:, None] * B[None, :]
            g = later + dy[:, None] * C[None, :]
            w = g * carried
            dA += w * delta[:, None]
            later = tl.exp(delta[:, None] * A) * g
            place = (b * length + t) * groups * width + channel
            dx = tl.sum(g * B[None, :], 1)
            tl.store(dx_ptr + place, dx.to(dx_ptr.dtype.element_ty), mask=valid)
            ddelta = tl.sum(w * A, 1)
            tl.store(ddelta_ptr + place, ddelta.to(ddelta_ptr.dtype.element_ty), mask=valid)
            # channels of other programs add to these: one share a block, summed afterwards
            share = (((block * batch + b) * length + t) * groups + group) * states + state
            tl.store(dB_ptr + share, tl.sum(g * x[:, None], 0), mask=kept)
            tl.store(dC_ptr + share, tl.sum(h * dy[:, None], 0), mask=kept)
            t -= 1
        tl.debug_barrier()
        first -= chunk
    tl.store(dA_ptr + border, dA, mask=both)
    if part == 0:
        whole = b * groups * width * states + matrix
        tl.store(dinitial_ptr + whole, later.to(dinitial_ptr.dtype.element_ty), mask=both)


class _Launch:
    """Shapes and the cut of one scan on the GPU."""

    def __init__(
        self, x: Tensor, B: Tensor, dtype: torch.dtype, chunk: int, parts: int | None
    ) -> None:
        self.batch, self.length, channels = x.shape
        self.groups, self.states = B.shape[2:]
        self.width = channels // self.groups
        self.dtype = dtype
        self.chunk = chunk
        padded = block_size(self.states, 1 << 20)
        # a state tile of a few registers a thread; narrow blocks keep more programs in flight
        block = block_size(self.width, max(1, 512 // padded))
        self.blocks = -(-self.width // block)
        self.programs = self.batch * self.groups * self.blocks
        chunks = -(-self.length // self.chunk)
        if parts is None:
            parts = max(1, min(chunks // 2, PROGRAMS // self.programs))
        self.part_length = -(-chunks // parts) * self.chunk
        self.parts = -(-self.length // self.part_length)
        self.constants = {
            "ACCUMULATOR": tl.float64 if dtype == torch.float64 else tl.float32,
            "BLOCK": block,
            "STATES": padded,
        }

    def sizes(self) -> tuple[int, ...]:
        return self.length, self.groups, self.width, self.states, self.part_length, self.parts

    def per_part(self, x: Tensor) -> Tensor:
        channels = self.groups * self.width
        return x.new_empty((self.batch, self.parts, channels * self.states), dtype=self.dtype)


def forward_triton(
    x: Tensor,
    delta: Tensor,
    A: Tensor,
    B: Tensor,
    C: Tensor,
    initial_state: Tensor | None,
    y: Tensor,
    final: Tensor,
    borders: Tensor,
    chunk: int,
    *,
    parts: int | None = None,
) -> None:
    """Writes `y`, the final state and the states before each chunk of `chunk` steps to `borders`.

    `parts` overrides the number of cuts.
    """
    launch = _Launch(x, B, borders.dtype, chunk, parts)
    A = A.contiguous()
    starts = None
    if initial_state is not None:
        starts = initial_state.to(launch.dtype).reshape(launch.batch, -1)

    def run(summary: bool, initial: Tensor | None, end: Tensor, product: Tensor) -> None:
        _forward_kernel[(launch.programs, launch.parts)](
            x,
            delta,
            A,
            B,
            C,
            end if initial is None else initial,
            y,
            end,
            product,
            borders,
            launch.batch,
            *launch.sizes(),
            launch.chunk,
            *x.stride(),
            *delta.stride(),
            *B.stride(),
            *C.stride(),
            SUMMARY=summary,
            HAS_INITIAL=initial is not None,
            **launch.constants,
        )

    if launch.parts > 1:
        ends, products = launch.per_part(x), launch.per_part(x)
        run(True, None, ends, products)
        starts = part_borders(products, ends, starts)
    run(False, starts, final, final)


def backward_triton(
    dy: Tensor,
    dfinal: Tensor | None,
    x: Tensor,
    delta: Tensor,
    A: Tensor,
    B: Tensor,
    C: Tensor,
    borders: Tensor,
    grads: tuple[Tensor, ...],
    chunk: int,
    *,
    parts: int | None = None,
) -> None:
    """Writes the gradients of x, delta, A, B, C and the initial state to `grads`.

    `borders` is what the forward pass kept, with the same `chunk`.
    """
    launch = _Launch(x, B, borders.dtype, chunk, parts)
    dx, ddelta, dA, dB, dC, dinitial = grads
    A = A.contiguous()
    later = None if dfinal is None else dfinal.to(launch.dtype).reshape(launch.batch, -1)
    if launch.parts > 1:
        ends, products = launch.per_part(x), launch.per_part(x)
        _adjoint_kernel[(launch.programs, launch.parts)](
            dy,
            delta,
            A,
            C,
            ends,
            products,
            *launch.sizes(),
            *dy.stride(),
            *delta.stride(),
            *C.stride(),
            **launch.constants,
        )
        later = part_borders(products, ends, later, reverse=True)
    block = launch.constants["BLOCK"] * launch.constants["STATES"]
    scratch = x.new_empty(launch.programs * launch.parts * launch.chunk * block, dtype=launch.dtype)
    dA_parts = launch.per_part(x)
    dB_blocks = x.new_empty((launch.blocks, *B.shape), dtype=launch.dtype)
    dC_blocks = torch.empty_like(dB_blocks)
    _backward_kernel[(launch.programs, launch.parts)](
        dy,
        x,
        delta,
        A,
        B,
        C,
        dy if later is None else later,
        borders,
        scratch,
        dx,
        ddelta,
        dA_parts,
        dB_blocks,
        dC_blocks,
        dinitial,
        launch.batch,
        *launch.sizes(),
        launch.chunk,
        *dy.stride(),
        *x.stride(),
        *delta.stride(),
        *B.stride(),
        *C.stride(),
        HAS_LATER=later is not None,
        **launch.constants,
    )
    dA.copy_(dA_parts.sum((0, 1)).view(A.shape))
    dB.copy_(dB_blocks.sum(0))
    dC.copy_(dC_blocks.sum(0))
