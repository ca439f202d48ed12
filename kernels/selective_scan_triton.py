"""The selective scan in Triton: the forward pass, its adjoint over parts, and the backward pass.

A program is one warp. It owns some channels of one group, with all their states in registers, and
walks a part of the sequence step by step, the operands of the next steps on their way from memory.
Parts are whole chunks, at whose borders the states are kept. The backward pass walks the chunks
from the last to the first: the states of one chunk are computed again into a scratch row of the
program. `selective_scan` says what is computed.

What a part multiplies by may overflow where no state does. Where what comes into a part is not
finite, the steps of all parts before it (backwards: after it) are taken one after the other.
"""

from __future__ import annotations

import torch
from torch import Tensor

from .triton_runtime import block_size, launches, tl, triton
from .triton_scan import is_finite, part_borders

PROGRAMS = 2112
"""Programs to aim for when cutting the sequence: sixteen for each processor of a large GPU."""

STAGES = 6
"""Steps whose operands are on their way from memory at once."""

CHUNK = 32
"""Steps between two states that are kept: the states of a chunk, which the backward pass writes and
reads again, stay in the cache of a large GPU."""

TILE = 512
"""Numbers of the states of a program: sixteen for each thread."""

LOG2_E = 1.4426950408889634
"""exp(x) = exp2(x LOG2_E), and exp2 is what a GPU has: kernels are given A times this."""


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
def _walked(  # type: ignore[no-untyped-def]
    h, A, x_at, delta_at, B_at, x_t, delta_t, B_t, steps, valid, kept,
    ACCUMULATOR: tl.constexpr, STAGES: tl.constexpr,
):  # fmt: skip
    # The states after so many steps.
    for _step in tl.range(0, steps.to(tl.int32), num_stages=STAGES):
        x = tl.load(x_at, mask=valid, other=0.0).to(ACCUMULATOR)
        delta = tl.load(delta_at, mask=valid, other=0.0).to(ACCUMULATOR)
        B = tl.load(B_at, mask=kept, other=0.0).to(ACCUMULATOR)
        h = tl.exp2(delta[None, :] * A) * h + x[None, :] * B[:, None]
        x_at += x_t
        delta_at += delta_t
        B_at += B_t
    return h


@triton.jit
def _walked_back(  # type: ignore[no-untyped-def]
    later, A, dy_at, delta_at, C_at, dy_t, delta_t, C_t, steps, valid, kept,
    ACCUMULATOR: tl.constexpr, BLOCK: tl.constexpr, STAGES: tl.constexpr,
):  # fmt: skip
    # What so many steps, the last of them first, pass on of `later`; and the sum of their deltas.
    passed = tl.zeros((BLOCK,), ACCUMULATOR)
    for _step in tl.range(0, steps.to(tl.int32), num_stages=STAGES):
        dy = tl.load(dy_at, mask=valid, other=0.0).to(ACCUMULATOR)
        delta = tl.load(delta_at, mask=valid, other=0.0).to(ACCUMULATOR)
        C = tl.load(C_at, mask=kept, other=0.0).to(ACCUMULATOR)
        later = tl.exp2(delta[None, :] * A) * (later + dy[None, :] * C[:, None])
        passed += delta
        dy_at -= dy_t
        delta_at -= delta_t
        C_at -= C_t
    return later, passed


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
    STAGES: tl.constexpr,
):
    part = tl.program_id(1).to(tl.int64)
    b, group, _block, within, channel, state = _place(groups, width, BLOCK, STATES)
    valid, kept = within < width, state < states
    both = kept[:, None] & valid[None, :]
    matrix = channel[None, :] * states + state[:, None]
    A = tl.load(A_ptr + matrix, mask=both, other=0.0).to(ACCUMULATOR)
    border = (b * parts + part) * groups * width * states + matrix
    first = part * part_length
    stop = tl.minimum(first + part_length, length)
    x_at = x_ptr + b * x_b + channel * x_d
    delta_at = delta_ptr + b * delta_b + channel * delta_d
    B_at = B_ptr + b * B_b + group * B_g + state.to(tl.int64) * B_n
    h = tl.zeros((STATES, BLOCK), ACCUMULATOR)
    if HAS_INITIAL:
        h = tl.load(initial_ptr + border, mask=both, other=0.0).to(ACCUMULATOR)
        if part > 0 and not is_finite(h):
            given = b * parts * groups * width * states + matrix
            h = tl.load(initial_ptr + given, mask=both, other=0.0).to(ACCUMULATOR)
            h = _walked(
                h, A, x_at, delta_at, B_at, x_t, delta_t, B_t, first, valid, kept,
                ACCUMULATOR, STAGES,
            )  # fmt: skip
    passed = tl.zeros((BLOCK,), ACCUMULATOR)
    x_at += first * x_t
    delta_at += first * delta_t
    B_at += first * B_t
    C_at = C_ptr + b * C_b + first * C_t + group * C_g + state.to(tl.int64) * C_n
    y_at = y_ptr + (b * length + first) * groups * width + channel
    border_place = state[:, None] * width + within[None, :]
    while first < stop:
        if not SUMMARY:
            number = ((first // chunk) * batch + b) * groups + group
            tl.store(border_ptr + number * states * width + border_place, h, mask=both)
        for _step in tl.range(0, tl.minimum(stop - first, chunk).to(tl.int32), num_stages=STAGES):
            x = tl.load(x_at, mask=valid, other=0.0).to(ACCUMULATOR)
            delta = tl.load(delta_at, mask=valid, other=0.0).to(ACCUMULATOR)
            B = tl.load(B_at, mask=kept, other=0.0).to(ACCUMULATOR)
            h = tl.exp2(delta[None, :] * A) * h + x[None, :] * B[:, None]
            x_at += x_t
            delta_at += delta_t
            B_at += B_t
            if SUMMARY:
                passed += delta
            else:
                C = tl.load(C_at, mask=kept, other=0.0).to(ACCUMULATOR)
                y = tl.sum(h * C[:, None], 0)
                tl.store(y_at, y.to(y_ptr.dtype.element_ty), mask=valid)
                C_at += C_t
                y_at += groups * width
        first += chunk
    if SUMMARY:
        tl.store(product_ptr + border, tl.exp2(passed[None, :] * A), mask=both)
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
    STAGES: tl.constexpr,
):
    # What a part passes on to the steps before it, when nothing reaches it from those after it.
    part = tl.program_id(1).to(tl.int64)
    b, group, _block, within, channel, state = _place(groups, width, BLOCK, STATES)
    valid, kept = within < width, state < states
    both = kept[:, None] & valid[None, :]
    matrix = channel[None, :] * states + state[:, None]
    A = tl.load(A_ptr + matrix, mask=both, other=0.0).to(ACCUMULATOR)
    start = part * part_length
    last = tl.minimum(start + part_length, length) - 1
    dy_at = dy_ptr + b * dy_b + last * dy_t + channel * dy_d
    delta_at = delta_ptr + b * delta_b + last * delta_t + channel * delta_d
    C_at = C_ptr + b * C_b + last * C_t + group * C_g + state.to(tl.int64) * C_n
    later, passed = _walked_back(
        tl.zeros((STATES, BLOCK), ACCUMULATOR), A, dy_at, delta_at, C_at, dy_t, delta_t, C_t,
        last + 1 - start, valid, kept, ACCUMULATOR, BLOCK, STAGES,
    )  # fmt: skip
    border = (b * parts + part) * groups * width * states + matrix
    tl.store(product_ptr + border, tl.exp2(passed[None, :] * A), mask=both)
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
    STAGES: tl.constexpr,
):
    program = tl.program_id(0).to(tl.int64)
    part = tl.program_id(1).to(tl.int64)
    b, group, block, within, channel, state = _place(groups, width, BLOCK, STATES)
    valid, kept = within < width, state < states
    both = kept[:, None] & valid[None, :]
    matrix = channel[None, :] * states + state[:, None]
    A = tl.load(A_ptr + matrix, mask=both, other=0.0).to(ACCUMULATOR)
    dA = tl.zeros((STATES, BLOCK), ACCUMULATOR)
    border = (b * parts + part) * groups * width * states + matrix
    border_place = state[:, None] * width + within[None, :]
    row = state[:, None] * BLOCK + tl.arange(0, BLOCK)[None, :]
    scratch = scratch_ptr + (program * parts + part) * chunk * BLOCK * STATES + row
    start = part * part_length
    stop = tl.minimum(start + part_length, length)
    first = start + (stop - 1 - start) // chunk * chunk
    x_from = x_ptr + b * x_b + channel * x_d
    delta_from = delta_ptr + b * delta_b + channel * delta_d
    dy_from = dy_ptr + b * dy_b + channel * dy_d
    B_from = B_ptr + b * B_b + group * B_g + state.to(tl.int64) * B_n
    C_from = C_ptr + b * C_b + group * C_g + state.to(tl.int64) * C_n
    later = tl.zeros((STATES, BLOCK), ACCUMULATOR)
    if HAS_LATER:
        later = tl.load(later_ptr + border, mask=both, other=0.0).to(ACCUMULATOR)
        if part < parts - 1 and not is_finite(later):
            given = (b * parts + parts - 1) * groups * width * states + matrix
            later = tl.load(later_ptr + given, mask=both, other=0.0).to(ACCUMULATOR)
            last = tl.full((), length - 1, tl.int64)
            later, _passed = _walked_back(
                later, A, dy_from + last * dy_t, delta_from + last * delta_t, C_from + last * C_t,
                dy_t, delta_t, C_t, length - stop, valid, kept, ACCUMULATOR, BLOCK, STAGES,
            )  # fmt: skip
    while first >= start:
        number = ((first // chunk) * batch + b) * groups + group
        h = tl.load(border_ptr + number * states * width + border_place, mask=both, other=0.0)
        steps = tl.minimum(stop - first, chunk).to(tl.int32)
        x_at, delta_at, B_at = x_from + first * x_t, delta_from + first * delta_t, B_from
        B_at += first * B_t
        scratch_at = scratch
        for _step in tl.range(0, steps, num_stages=STAGES):
            tl.store(scratch_at, h)
            x = tl.load(x_at, mask=valid, other=0.0).to(ACCUMULATOR)
            delta = tl.load(delta_at, mask=valid, other=0.0).to(ACCUMULATOR)
            B = tl.load(B_at, mask=kept, other=0.0).to(ACCUMULATOR)
            h = tl.exp2(delta[None, :] * A) * h + x[None, :] * B[:, None]
            scratch_at += BLOCK * STATES
            x_at += x_t
            delta_at += delta_t
            B_at += B_t
        # the scratch row is read back by other threads than wrote it
        tl.debug_barrier()
        last = first + steps - 1
        x_at, delta_at, B_at = x_from + last * x_t, delta_from + last * delta_t, B_from + last * B_t
        dy_at, C_at = dy_from + last * dy_t, C_from + last * C_t
        place = (b * length + last) * groups * width + channel
        # channels of other programs add to these: one share a block, summed afterwards
        share = (((block * batch + b) * length + last) * groups + group) * states + state
        for _step in tl.range(0, steps, num_stages=STAGES):
            scratch_at -= BLOCK * STATES
            x = tl.load(x_at, mask=valid, other=0.0).to(ACCUMULATOR)[None, :]
            dy = tl.load(dy_at, mask=valid, other=0.0).to(ACCUMULATOR)[None, :]
            delta = tl.load(delta_at, mask=valid, other=0.0).to(ACCUMULATOR)[None, :]
            B = tl.load(B_at, mask=kept, other=0.0).to(ACCUMULATOR)[:, None]
            C = tl.load(C_at, mask=kept, other=0.0).to(ACCUMULATOR)[:, None]
            decay = tl.exp2(delta * A)
            before = tl.load(scratch_at)
            g = later + dy * C
            w = g * before * decay
            dA += w * delta
            later = decay * g
            dx = tl.sum(g * B, 0)
            tl.store(dx_ptr + place, dx.to(dx_ptr.dtype.element_ty), mask=valid)
            # A is that of exp2: ln 2 makes it that of exp
            ddelta = tl.sum(w * A, 0) * 0.6931471805599453
            tl.store(ddelta_ptr + place, ddelta.to(ddelta_ptr.dtype.element_ty), mask=valid)
            tl.store(dB_ptr + share, tl.sum(g * x, 1), mask=kept)
            tl.store(dC_ptr + share, tl.sum((decay * before + x * B) * dy, 1), mask=kept)
            x_at -= x_t
            dy_at -= dy_t
            delta_at -= delta_t
            B_at -= B_t
            C_at -= C_t
            place -= groups * width
            share -= groups * states
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
        block = block_size(self.width, max(1, TILE // padded))
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
            "STAGES": STAGES,
            "num_warps": 1,
        }

    def sizes(self) -> tuple[int, ...]:
        return self.length, self.groups, self.width, self.states, self.part_length, self.parts

    def per_part(self, x: Tensor) -> Tensor:
        channels = self.groups * self.width
        return x.new_empty((self.batch, self.parts, channels * self.states), dtype=self.dtype)


@launches
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
    exponents = A.to(launch.dtype).contiguous() * LOG2_E
    starts = None
    if initial_state is not None:
        starts = initial_state.to(launch.dtype).reshape(launch.batch, -1)

    def run(summary: bool, initial: Tensor | None, end: Tensor, product: Tensor) -> None:
        _forward_kernel[(launch.programs, launch.parts)](
            x,
            delta,
            exponents,
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


@launches
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
    exponents = A.to(launch.dtype).contiguous() * LOG2_E
    later = None if dfinal is None else dfinal.to(launch.dtype).reshape(launch.batch, -1)
    if launch.parts > 1:
        ends, products = launch.per_part(x), launch.per_part(x)
        _adjoint_kernel[(launch.programs, launch.parts)](
            dy,
            delta,
            exponents,
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
        exponents,
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
