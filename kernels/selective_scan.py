"""The selective state space scan of Mamba, forward and backward, without the states in memory.

For every batch element b, channel d and state n, with t running over the sequence:

    h[t, n] = exp(delta[t] A[n]) h[t-1, n] + B[t, n] x[t]
    y[t]    = sum_n C[t, n] h[t, n]

The step "multiply by a, then add u" is an element (a, u) of the semigroup of affine maps:

    identity                             (1, 0)
    combine, first (a, u), then (c, v)   (c a, c u + v)

so the sequence may be cut anywhere: a piece needs from its past only h at its border. Both
implementations keep h at the borders of chunks only and recompute the rest in the backward pass.

Gradients, with g[t] the gradient of h[t]:

    g[t]     = C[t] dy[t] + exp(delta[t+1] A) g[t+1]
    dx[t] = sum_n g[t] B[t]      dB[t] = sum_d g[t] x[t]      dC[t] = sum_d dy[t] h[t]
    w[t] = g[t] exp(delta[t] A) h[t-1]
    ddelta[t] = sum_n w[t] A     dA = sum_bt w[t] delta[t]    dinitial = exp(delta[0] A) g[0]

Sources: Gu and Dao, "Mamba: Linear-Time Sequence Modeling with Selective State Spaces" (2023);
Blelloch, "Prefix sums and their applications" (1990) for the scan inside a chunk.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import Any

import torch
from torch import Tensor

from . import native
from .gradients import differentiable_gradients, private
from .precision import accumulator
from .scan_rows import safe_levels, scanned
from .selective_scan_triton import CHUNK, backward_triton, forward_triton
from .surroundings import autocasting, transformed, unrecorded
from .triton_runtime import usable

BLOCK_STATES = 32768
"""States (batch x channels x states) that one CPU pass advances together at most, by batch."""

SMALL_STATES = 8192
"""Up to here a CPU time step costs less than its dispatch: longer chunks, and halvings pay."""

LONE_STATES = 1024
"""So many states of groups of one channel are faster in torch: in C the lanes are channels."""

SHORT_SEQUENCE = 4
"""Up to here the plain loop is the fastest on CPU: an operator call costs as much as 4 steps."""

TOLERANCE: dict[torch.dtype, tuple[float, float]] = {
    torch.float64: (1e-12, 1e-11),
    torch.float32: (2e-5, 2e-4),
    torch.float16: (2e-3, 8e-3),
    torch.bfloat16: (1.6e-2, 6.4e-2),
    torch.complex64: (2e-5, 2e-4),
    torch.complex128: (1e-12, 1e-11),
}
"""Largest error against float64 relative to max|reference|: (outputs, gradients).

Half types accumulate in float32 and round once, at the end: two units in the last place, four
times that for gradients, which also sum over the batch or the channels. float32 and float64 sum
as many terms as the decay lets live (hundreds at most), hence a few hundred eps.
"""


def reference(
    x: Tensor,
    delta: Tensor,
    A: Tensor,
    B: Tensor,
    C: Tensor,
    initial_state: Tensor | None = None,
    *,
    output_final_state: bool = False,
) -> Tensor | tuple[Tensor, Tensor]:
    """What `selective_scan` computes, one step at a time."""
    if B.ndim == 4 or C.ndim == 4:
        return _grouped_reference(
            x, delta, A, B, C, initial_state, output_final_state=output_final_state
        )
    batch, length, channels = x.shape
    h = initial_state
    if h is None:
        h = torch.zeros((batch, channels, A.shape[-1]), dtype=x.dtype, device=x.device)
    outputs = []
    for t in range(length):
        h = torch.exp(delta[:, t, :, None] * A) * h + B[:, t, None, :] * x[:, t, :, None]
        outputs.append((h * C[:, t, None, :]).sum(-1))
    if outputs:
        y = torch.stack(outputs, dim=1)
    else:  # of no steps, in the dtype that a step would have
        rows = torch.exp(delta[..., None] * A) * h[:, None] + B[:, :, None] * x[..., None]
        y = (rows * C[:, :, None]).sum(-1)
    return (y, h) if output_final_state else y


def _grouped_reference(
    x: Tensor,
    delta: Tensor,
    A: Tensor,
    B: Tensor,
    C: Tensor,
    initial_state: Tensor | None,
    *,
    output_final_state: bool,
) -> Tensor | tuple[Tensor, Tensor]:
    """Each group of neighbouring channels is a scan of its own, with its own B and C."""
    if B.ndim != C.ndim or B.shape[2] != C.shape[2]:
        raise ValueError(f"B and C differ in their groups: {tuple(B.shape)}, {tuple(C.shape)}")
    groups = B.shape[2]
    xs, deltas = x.unflatten(2, (groups, -1)), delta.unflatten(2, (groups, -1))
    rates = A.unflatten(0, (groups, -1))
    states = None if initial_state is None else initial_state.unflatten(1, (groups, -1))
    parts = [
        reference(
            xs[:, :, g],
            deltas[:, :, g],
            rates[g],
            B[:, :, g],
            C[:, :, g],
            None if states is None else states[:, g],
            output_final_state=True,
        )
        for g in range(groups)
    ]
    y = torch.cat([part[0] for part in parts], dim=2)
    return (y, torch.cat([part[1] for part in parts], dim=1)) if output_final_state else y


# ------------------------------------------------------------------------------------- CPU path
#
# States lie as (time, batch, group, state, channel of the group): a row of the scan is one time
# step, and the contiguous axis is the channel, along which x, delta and y are contiguous too.


def _chunk_length(x: Tensor, states: int) -> int:
    """Steps between two states that are kept; measured for buffers that stay in a cache."""
    if x.device.type == "cuda":
        return CHUNK
    batch, _, channels = x.shape
    block = max(1, min(batch, BLOCK_STATES // max(1, channels * states)))
    return 128 if block * channels * states <= SMALL_STATES else 64


class _Rows:
    """The operands of one scan in the CPU layout, and the chunks in which it is walked."""

    def __init__(
        self, x: Tensor, delta: Tensor, A: Tensor, B: Tensor, C: Tensor, dtype: torch.dtype
    ) -> None:
        self.batch, self.length, self.channels = x.shape
        self.groups, self.states = B.shape[2:]
        self.dtype = dtype
        self.chunk = _chunk_length(x, self.states)
        self.levels = self._levels(delta, A)
        self.x = self.of_channels(x)
        self.delta = self.of_channels(delta)
        self.A = A.to(dtype).view(self.groups, -1, self.states).mT.contiguous()
        self.B = B.transpose(0, 1)
        self.C = C.transpose(0, 1)

    def _levels(self, delta: Tensor, A: Tensor) -> int:
        """Halvings of the scan that pay and cannot overflow, from bounds on delta A."""
        if self.chunk == 64 or self.dtype.is_complex or not delta.numel() or not A.numel():
            return 0
        corners = [
            float(some) * float(other)
            for some in torch.aminmax(delta)
            for other in torch.aminmax(A)
        ]
        return safe_levels(max(corners), 3, self.dtype)

    def of_channels(self, tensor: Tensor) -> Tensor:
        """(B, L, D) seen as (L, B, G, D / G)."""
        return tensor.unflatten(2, (self.groups, -1)).transpose(0, 1)

    def of_states(self, tensor: Tensor) -> Tensor:
        """(B, D, N) seen as (B, G, N, D / G)."""
        return tensor.unflatten(1, (self.groups, -1)).transpose(2, 3)

    def blocks(self) -> Iterator[slice]:
        """Slices of the batch small enough for one pass."""
        size = max(1, BLOCK_STATES // max(1, self.channels * self.states))
        for start in range(0, self.batch, size):
            yield slice(start, min(start + size, self.batch))

    def chunks(self) -> list[slice]:
        return [
            slice(start, min(start + self.chunk, self.length))
            for start in range(0, self.length, self.chunk)
        ]

    def row(self, block: slice) -> tuple[int, int, int, int]:
        """The shape of the states of one time step."""
        width = self.channels // self.groups
        return block.stop - block.start, self.groups, self.states, width

    def buffer(self, block: slice) -> Tensor:
        shape = (min(self.chunk, self.length), *self.row(block))
        return torch.empty(shape, dtype=self.dtype, device=self.x.device)

    def state(self, block: slice, given: Tensor | None) -> Tensor:
        """A (B, D, N) state in this layout, zero where none is given."""
        if given is None:
            return torch.zeros(self.row(block), dtype=self.dtype, device=self.x.device)
        return self.of_states(given)[block].to(self.dtype)

    def decay(self, time: slice, block: slice, out: Tensor) -> Tensor:
        """exp(delta A) of one chunk, written to `out`."""
        gates = out[: time.stop - time.start]
        torch.mul(self.delta[time, block].to(self.dtype).unsqueeze(3), self.A, out=gates)
        return gates.exp_()

    def drive(self, time: slice, block: slice, out: Tensor) -> Tensor:
        """B x of one chunk, written to `out`."""
        rows = out[: time.stop - time.start]
        x = self.x[time, block].to(self.dtype).unsqueeze(3)
        return torch.mul(x, self.B[time, block].to(self.dtype).unsqueeze(4), out=rows)

    def driven(
        self,
        time: slice,
        block: slice,
        state: Tensor,
        decays: Tensor,
        out: Tensor,
        scratch: Tensor | None = None,
    ) -> Tensor:
        """The states of one chunk after `state`, written to `out`; its decays are written to
        `decays`, and stay there where there is a scratch buffer as well."""

        def fill() -> tuple[Tensor, Tensor]:
            gates = self.decay(time, block, decays)
            rows = self.drive(time, block, out)
            rows[0].addcmul_(gates[0], state)
            return gates if scratch is None else scratch[: len(gates)].copy_(gates), rows

        return scanned(fill, self.levels)

    def driven_back(
        self, dy: Tensor, C: Tensor, gates: Tensor, later: Tensor, out: Tensor, scratch: Tensor
    ) -> Tensor:
        """The gradients of the states of one chunk, written to `out`, with `later` that of the last
        from all after it."""

        def fill() -> tuple[Tensor, Tensor]:
            rows = torch.mul(dy, C, out=out[: len(gates)])
            rows[-1].add_(later)
            lent = scratch[: len(gates)]
            lent[:-1].copy_(gates[1:])  # the gate between two steps is the later one's
            return lent, rows

        return scanned(fill, self.levels, reverse=True)


def _forward_torch(
    x: Tensor,
    delta: Tensor,
    A: Tensor,
    B: Tensor,
    C: Tensor,
    initial_state: Tensor | None,
    y: Tensor,
    final: Tensor,
    borders: Tensor,
) -> None:
    """Writes y, the final state and the states at the borders of chunks, in place."""
    rows = _Rows(x, delta, A, B, C, borders.dtype)
    y_rows, final_states = rows.of_channels(y), rows.of_states(final)
    for block in rows.blocks():
        gate_buffer, row_buffer = rows.buffer(block), rows.buffer(block)
        state = rows.state(block, initial_state)
        for number, time in enumerate(rows.chunks()):
            borders[number, block].copy_(state)
            h = rows.driven(time, block, state, gate_buffer, row_buffer)
            state = h[-1].clone()
            C_rows = rows.C[time, block].to(rows.dtype).unsqueeze(3)
            y_rows[time, block].copy_(torch.matmul(C_rows, h).squeeze(3))
        # only C is complex where the states are not
        final_states[block].copy_(state if final.is_complex() else state.real)


def _backward_torch(
    dy: Tensor,
    dfinal: Tensor | None,
    x: Tensor,
    delta: Tensor,
    A: Tensor,
    B: Tensor,
    C: Tensor,
    borders: Tensor,
    grads: tuple[Tensor, ...],
) -> None:
    """Writes the gradients of x, delta, A, B, C and the initial state, in place; the states of each
    chunk are computed again from the one at its border."""
    rows = _Rows(x, delta, A, B, C, borders.dtype)
    dx, ddelta, dA, dB, dC, dinitial = grads
    dx_rows, ddelta_rows, dy_rows = (rows.of_channels(each) for each in (dx, ddelta, dy))
    dB_rows, dC_rows = dB.transpose(0, 1), dC.transpose(0, 1)
    dinitial_states = rows.of_states(dinitial)
    A_total = torch.zeros_like(rows.A)
    for block in rows.blocks():
        gate_buffer, h_buffer, g_buffer, scratch = (rows.buffer(block) for _ in range(4))
        # what reaches h at the end of a chunk from everything after it
        later = rows.state(block, dfinal)
        for number, time in reversed(list(enumerate(rows.chunks()))):
            before = borders[number, block]
            h = rows.driven(time, block, before, gate_buffer, h_buffer, scratch)
            gates = gate_buffer[: len(h)].conj()
            dy_chunk = dy_rows[time, block].to(rows.dtype).unsqueeze(3)
            C_chunk = rows.C[time, block].to(rows.dtype).conj().unsqueeze(4)
            g = rows.driven_back(dy_chunk, C_chunk, gates, later, g_buffer, scratch)

            x_chunk = rows.x[time, block].to(rows.dtype).conj().unsqueeze(4)
            B_chunk = rows.B[time, block].to(rows.dtype).conj().unsqueeze(3)
            dx_rows[time, block].copy_(torch.matmul(B_chunk, g).squeeze(3))
            dB_rows[time, block].copy_(torch.matmul(g, x_chunk).squeeze(4))
            dC_rows[time, block].copy_(torch.matmul(h.conj(), dy_chunk.transpose(3, 4)).squeeze(4))

            later = g[0] * gates[0]
            w = g
            w[0].mul_(before.conj())
            w[1:].mul_(h[:-1].conj())
            w.mul_(gates)
            rates = torch.mul(w, rows.A.conj(), out=scratch[: len(w)])
            ddelta_rows[time, block].copy_(rates.sum(3))
            delta_chunk = rows.delta[time, block].to(rows.dtype).conj().unsqueeze(3)
            A_total += w.mul_(delta_chunk).sum((0, 1))
        dinitial_states[block].copy_(later)
    dA.copy_(A_total.mT.reshape(dA.shape))


# ------------------------------------------------------------------------------ operator wiring


def _native_takes(
    x: Tensor, delta: Tensor, A: Tensor, B: Tensor, C: Tensor, *others: Tensor | None
) -> bool:
    """Whether the kernel in C takes the operands, and is the faster one."""
    batch, _, groups, states = B.shape
    lone = groups == x.shape[2] and batch * groups * states > LONE_STATES
    return not lone and native.takes(x, delta, A, B, C, *others)


def _forward_outputs(
    x: Tensor, A: Tensor, B: Tensor, wide: torch.dtype, dtypes: list[torch.dtype]
) -> tuple[Tensor, Tensor, Tensor]:
    batch, length, channels = x.shape
    groups, states = B.shape[2:]
    y = x.new_empty((batch, length, channels), dtype=dtypes[0])
    final = x.new_empty((batch, channels, states), dtype=dtypes[1])
    chunk = _chunk_length(x, states)
    count = (length + chunk - 1) // chunk
    borders = x.new_empty((count, batch, groups, states, channels // groups), dtype=wide)
    return y, final, borders


def _computed(
    x: Tensor,
    delta: Tensor,
    A: Tensor,
    B: Tensor,
    C: Tensor,
    initial_state: Tensor | None,
    y_dtype: torch.dtype,
    final_dtype: torch.dtype,
) -> tuple[Tensor, Tensor, Tensor]:
    """Operands in canonical shape (B, L, D), (D, N), (B, L, G, N), (B, D, N) on one device.

    Returns y, the final state and the states at the starts of the chunks.
    """
    wide = accumulator(x, delta, A, B, C, initial_state)
    y, final, borders = _forward_outputs(x, A, B, wide, [y_dtype, final_dtype])
    takes = usable(x) and not wide.is_complex and y.numel() and A.numel()
    if takes:
        chunk = _chunk_length(x, B.shape[3])
        forward_triton(x, delta, A, B, C, initial_state, y, final, borders, chunk)
    elif y.numel() and _native_takes(x, delta, A, B, C, initial_state):
        chunk = _chunk_length(x, B.shape[3])
        native.selective_forward(x, delta, A, B, C, initial_state, y, final, borders, chunk)
    else:
        _forward_torch(x, delta, A, B, C, initial_state, y, final, borders)
    return y, final, borders


_forward = torch.library.custom_op("auditor::selective_scan", _computed, mutates_args=())


@_forward.register_fake
def _forward_fake(
    x: Tensor,
    delta: Tensor,
    A: Tensor,
    B: Tensor,
    C: Tensor,
    initial_state: Tensor | None,
    y_dtype: torch.dtype,
    final_dtype: torch.dtype,
) -> tuple[Tensor, Tensor, Tensor]:
    wide = accumulator(x, delta, A, B, C, initial_state)
    return _forward_outputs(x, A, B, wide, [y_dtype, final_dtype])


@torch.library.custom_op("auditor::selective_scan_backward", mutates_args=())
def _backward(
    dy: Tensor,
    dfinal: Tensor | None,
    x: Tensor,
    delta: Tensor,
    A: Tensor,
    B: Tensor,
    C: Tensor,
    borders: Tensor,
    initial_dtype: torch.dtype,
) -> tuple[Tensor, Tensor, Tensor, Tensor, Tensor, Tensor]:
    """Gradients of x, delta, A, B, C and the initial state, in their dtypes and shapes."""
    grads = _backward_fake(dy, dfinal, x, delta, A, B, C, borders, initial_dtype)
    takes = usable(x) and not borders.is_complex() and dy.numel() and A.numel()
    if takes:
        chunk = _chunk_length(x, B.shape[3])
        backward_triton(dy, dfinal, x, delta, A, B, C, borders, grads, chunk)
    elif dy.numel() and _native_takes(x, delta, A, B, C, dy, dfinal, borders):
        chunk = _chunk_length(x, B.shape[3])
        native.selective_backward(dy, dfinal, x, delta, A, B, C, borders, grads, chunk)
    else:
        _backward_torch(dy, dfinal, x, delta, A, B, C, borders, grads)
    return grads


@_backward.register_fake
def _backward_fake(
    dy: Tensor,
    dfinal: Tensor | None,
    x: Tensor,
    delta: Tensor,
    A: Tensor,
    B: Tensor,
    C: Tensor,
    borders: Tensor,
    initial_dtype: torch.dtype,
) -> tuple[Tensor, Tensor, Tensor, Tensor, Tensor, Tensor]:
    def like(tensor: Tensor) -> Tensor:
        return tensor.new_empty(tensor.shape)

    initial = x.new_empty((x.shape[0], x.shape[2], A.shape[1]), dtype=initial_dtype)
    return like(x), like(delta), like(A), like(B), like(C), initial


def _setup_context(ctx: Any, inputs: tuple[Any, ...], output: tuple[Tensor, ...]) -> None:
    *operands, _, _ = inputs
    ctx.set_materialize_grads(False)
    ctx.save_for_backward(*operands, output[2])


def _differentiate(
    ctx: Any, dy: Tensor | None, dfinal: Tensor | None, _dborders: Tensor | None
) -> tuple[Tensor | None, ...]:
    *operands, borders = ctx.saved_tensors
    x, delta, A, B, C, initial = operands
    if dy is None and dfinal is None:
        return (None,) * 8
    if torch.is_grad_enabled():
        # create_graph: the gradients must be differentiable themselves
        results_of = functools.partial(reference, output_final_state=True)
        return (*differentiable_gradients(results_of, operands, (dy, dfinal)), None, None)
    if dy is None:
        dy = torch.zeros_like(x)
    initial_dtype = borders.dtype if initial is None else initial.dtype
    grads = _backward(dy, dfinal, x, delta, A, B, C, borders, initial_dtype)
    return (*grads[:5], None if initial is None else grads[5], None, None)


_forward.register_autograd(_differentiate, setup_context=_setup_context)


# ------------------------------------------------------------------------------ public function


def result_dtypes(
    x: Tensor, delta: Tensor, A: Tensor, B: Tensor, C: Tensor, initial: Tensor | None
) -> tuple[torch.dtype, torch.dtype]:
    """The dtypes that the reference's y and final state have."""
    if not autocasting(x):
        final = functools.reduce(
            torch.promote_types,
            (each.dtype for each in (x, delta, A, B, initial) if each is not None),
        )
        return torch.promote_types(final, C.dtype), final
    # Which operations autocast moves to float32 differs by device: ask it, on no elements.
    none = [torch.empty(0, dtype=each.dtype, device=each.device) for each in (delta, A, B, x, C)]
    state = none[3] if initial is None else initial.new_empty(0)
    h = torch.exp(none[0] * none[1]) * state + none[2] * none[3]
    return (h * none[4]).sum(-1).dtype, h.dtype


def _canonical(
    x: Tensor, delta: Tensor, A: Tensor, B: Tensor, C: Tensor, initial: Tensor | None
) -> tuple[Tensor, Tensor, Tensor, Tensor, Tensor, Tensor | None] | None:
    """The operands expanded to the operator's shapes, or None where the reference must run."""
    tensors = [each for each in (x, delta, A, B, C, initial) if each is not None]
    if (
        x.ndim != 3
        or delta.ndim != 3
        or A.ndim != 2
        or B.ndim not in (3, 4)
        or C.ndim != B.ndim
        or (initial is not None and initial.ndim != 3)
        or any(each.device != x.device for each in tensors)
        or any(not (each.is_floating_point() or each.is_complex()) for each in tensors)
        or not x.shape[1] == delta.shape[1] == B.shape[1] == C.shape[1]
    ):
        return None
    length = x.shape[1]
    batch = x.shape[0]
    channels = x.shape[2]
    states = A.shape[1]
    if 0 in (batch, channels, states):
        return None
    groups = 1
    if B.ndim == 4:
        groups = B.shape[2]
        if C.shape[2] != groups or groups == 0 or channels % groups:
            return None
    else:
        B, C = B.unsqueeze(2), C.unsqueeze(2)
    # Operands that stretch the shape (batch, channels, states) of x and A are the reference's.
    if any(
        shape != full and shape != small
        for shape, full, small in (
            (delta.shape, (batch, length, channels), (batch, length, 1)),
            (A.shape, (channels, states), (1, states)),
            (B.shape, (batch, length, groups, states), (1, length, groups, states)),
            (C.shape, (batch, length, groups, states), (1, length, groups, states)),
        )
    ) or (initial is not None and initial.shape != (batch, channels, states)):
        return None
    if B.ndim == 4 and groups > 1 and (delta.shape[2] != channels or A.shape[0] != channels):
        return None
    delta = delta.expand(batch, length, channels)
    A = A.expand(channels, states)
    B = B.expand(batch, length, groups, states)
    C = C.expand(batch, length, groups, states)
    if any(each.is_complex() for each in tensors):
        dtype = accumulator(*tensors)
        x, delta, A, B, C = (each.to(dtype) for each in (x, delta, A, B, C))
        initial = None if initial is None else initial.to(dtype)
    return x, delta, A, B, C, initial


def _lasting(
    x: Tensor, delta: Tensor, A: Tensor, B: Tensor, C: Tensor, initial: Tensor | None
) -> tuple[Tensor, Tensor, Tensor, Tensor, Tensor, Tensor | None]:
    """Operands that the backward pass may read. The operator keeps them all, the loop only what
    the gradient of another operand needs: the rest a caller may have overwritten."""
    need_x, need_delta, need_A, need_B, need_C = (t.requires_grad for t in (x, delta, A, B, C))
    need_initial = initial is not None and initial.requires_grad
    state = need_x or need_delta or need_A or need_B or need_initial
    if not torch.is_grad_enabled() or not (state or need_C):
        return x, delta, A, B, C, initial
    return (
        x if need_B else private(x),
        delta if need_A else private(delta),
        A if need_delta else private(A),
        B if need_x else private(B),
        C if state else private(C),
        initial if initial is None or need_delta or need_A else private(initial),
    )


def selective_scan(
    x: Tensor,
    delta: Tensor,
    A: Tensor,
    B: Tensor,
    C: Tensor,
    initial_state: Tensor | float | None = None,
    *,
    output_final_state: bool = False,
) -> Tensor | tuple[Tensor, Tensor]:
    """h_t = exp(delta_t A) h_{t-1} + B_t x_t and y_t = sum over states of C_t h_t.

    Args:
        x: (batch, length, channels).
        delta: as x, or (batch, length, 1).
        A: (channels, states), or (1, states).
        B, C: (batch, length, states), or (batch, length, groups, states) where each group of
            neighbouring channels has its own; the batch may be 1.
        initial_state: h before the first step, (batch, channels, states), or a number; None is
            zero.
        output_final_state: return h after the last step as well.

    Any strides (a caller with (batch, channels, length) passes a transposed view) and any dtypes;
    results have the dtypes the plain loop has. Half types accumulate in float32. Differentiable
    in every operand, the initial and the final state, any number of times.

    Returns:
        y (batch, length, channels), or (y, final state (batch, channels, states)). Where there are
        no steps the final state is `initial_state` itself, as given.

    Raises:
        What `reference` raises: every shape the operator does not cover is handed to it.
    """
    if isinstance(initial_state, (int, float)):
        shape, (_, dtype) = (*x.shape[::2], A.shape[-1]), result_dtypes(x, delta, A, B, C, None)
        dtype = torch.result_type(x.new_empty(0, dtype=dtype), initial_state)
        initial_state = x.new_full(shape, initial_state, dtype=dtype)
    few = SHORT_SEQUENCE if x.device.type == "cpu" else 0
    plain = (x.ndim == 3 and x.shape[1] <= few) or transformed()
    operands = None if plain else _canonical(x, delta, A, B, C, initial_state)
    if operands is None:
        return reference(x, delta, A, B, C, initial_state, output_final_state=output_final_state)
    y_dtype, final_dtype = result_dtypes(x, delta, A, B, C, initial_state)
    operands = _lasting(*operands)
    scan = _computed if unrecorded(*operands) else _forward
    y, final, _ = scan(*operands, y_dtype, final_dtype)
    kept = (*operands[:4], operands[5])
    if not any(each.requires_grad for each in kept if each is not None):
        final = final.detach()  # nothing of C is in it
    return (y, final) if output_final_state else y
