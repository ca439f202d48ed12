"""Linear attention: a matrix as state, which decays, takes in outer products and is read by rows.

For every batch element and head, with t running over the sequence, d over the channels of queries
and keys, e over those of values:

    S[t, d, e] = a[t, d] S[t-1, d, e] + k[t, d] v[t, e]
    o[t, e]    = sum_d q[t, d] S[t, d, e]            (S[t-1] where the state is read first)

The decay a may be absent (linear transformers), one number a head (retention), one a step (Mamba-2,
mLSTM) or one for each channel (gated linear attention, RWKV). The step "multiply by a, then add U"
is an element (a, U) of the semigroup of affine maps:

    identity                             (1, 0)
    combine, first (a, U), then (c, V)   (c a, c U + V)

so the sequence may be cut anywhere: a piece needs from its past only S at its border. Inside it

    o[j] = (q[j] a[1..j]) S[0] + sum_{i <= j} score[j, i] v[i]
    S[C] = a[1..C] S[0] + sum_i (k[i] a[i+1..C]) v[i]^T

with a[i..j] the product of the decays from i to j: matrix products, and the states (length, D, E)
are never all there. `decayed_scores` says how the scores are had without dividing by decays.

Gradients, with R the gradient of S at the end of the piece:

    dS[0] = a[1..C] R + sum_j (q[j] a[1..j]) do[j]^T      dscore[j, i] = do[j] . v[i]
    dv[i] = sum_{j >= i} score[j, i] do[j] + (k[i] a[i+1..C]) R

and those of q, k and a through the scores and through the products with S[0] and R.

Sources: Katharopoulos et al., "Transformers are RNNs" (2020); Sun et al., "Retentive Network"
(2023); Yang et al., "Gated Linear Attention Transformers" (2024).
"""

from __future__ import annotations

import math
from typing import Any

import torch
from torch import Tensor

from .gradients import differentiable_gradients, private
from .linear_attention_chunks import backward_chunks, forward_chunks
from .linear_attention_triton import LARGEST_ROWS, backward_triton, forward_triton
from .precision import accumulator
from .shapes import broadcast
from .surroundings import transformed, unrecorded
from .triton_runtime import usable

SHORT_SEQUENCE = 15
"""Up to here the plain loop is the fastest on CPU; with a decay for each channel, three times as
far."""

MANY_STATES = 128
"""More states than so many, if small ones, the loop advances faster on CPU than chunks have their
scores; with a decay for each channel, half as many."""

SMALL_STATE = 144
"""Numbers of a small state; where a gradient is wanted, which the loop takes long for, fewer than
half as many."""

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
times that for gradients, which sum over channels as well. float32 and float64 sum as many terms as
the decay lets live (hundreds at most), hence a few hundred eps.
"""


def reference(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    g: Tensor | None = None,
    *,
    decay: Tensor | float | None = None,
    dim: int = 1,
    reverse: bool = False,
    exclusive: bool = False,
    scale: float | None = None,
    initial_state: Tensor | None = None,
    output_final_state: bool = False,
) -> Tensor | tuple[Tensor, Tensor]:
    """What `linear_attention` computes, one step at a time."""
    a = _decay(g, decay)
    rows = [q if scale is None else q * scale, k, v]
    rank = max(each.ndim for each in rows)
    rows = [each[(None,) * (rank - each.ndim)] for each in rows]
    if isinstance(a, Tensor) and a.ndim:
        rows.append(a[(None,) * (rank + 1 - a.ndim)])
    dim = time_axis(dim, rank)
    (length,) = broadcast(*(each.shape[dim : dim + 1] for each in rows))
    steps = [
        each.expand(*each.shape[:dim], length, *each.shape[dim + 1 :]).unbind(dim) for each in rows
    ]
    S = initial_state
    if S is None:
        batch = broadcast(*(without(each.shape[: rank - 1], dim) for each in rows[1:]))
        S = k.new_zeros((*batch, k.shape[-1], v.shape[-1]))
    outputs = []
    for t in reversed(range(length)) if reverse else range(length):
        query, key, value, *factor = (each[t] for each in steps)
        before = S
        if factor:
            S = factor[0] * S
        elif a is not None:
            S = a * S
        S = S + key[..., :, None] * value[..., None, :]
        outputs.append((query[..., :, None] * (before if exclusive else S)).sum(-2))
    if exclusive and outputs:  # the first state may have fewer rows than what is added to it
        outputs = [*torch.broadcast_tensors(*outputs)]
    if outputs:
        o = torch.stack(outputs[::-1] if reverse else outputs, dim)
    else:
        batch = broadcast(without(rows[0].shape[:-1], dim), S.shape[:-2])
        dtype = torch.promote_types(q.dtype, S.dtype)
        o = v.new_empty((*batch[:dim], 0, *batch[dim:], v.shape[-1]), dtype=dtype)
    return (o, S) if output_final_state else o


def _decay(g: Tensor | None, decay: Tensor | float | None) -> Tensor | float | None:
    """The decay as a factor of the state."""
    if g is not None and decay is not None:
        raise ValueError("the decay is given twice, as `g` and as `decay`")
    return decay if g is None else torch.exp(g).unsqueeze(-1)


def time_axis(dim: int, rank: int) -> int:
    """The axis of time, from the front; the last axis is the channels'."""
    if not -rank <= dim < rank or dim in (-1, rank - 1):
        raise IndexError(f"the sequence cannot be axis {dim} of {rank}")
    return dim % rank


def without(shape: torch.Size, dim: int) -> torch.Size:
    """A shape without one of its axes, counted from the front."""
    return shape[:dim] + shape[dim + 1 :]


# ------------------------------------------------------------------------------ operator wiring


def _computed(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    decay: Tensor | None,
    initial_state: Tensor | None,
    o_dtype: torch.dtype,
    final_dtype: torch.dtype,
) -> tuple[Tensor, Tensor]:
    """q, k (G, T, D), v (G, T, E), decay (G, T or 1, D or 1), initial state (G, D, E)."""
    dtype = accumulator(q, k, v, decay, initial_state)
    if _on_triton(k, dtype):
        o = v.new_empty(v.shape, dtype=o_dtype)
        final = k.new_empty((k.shape[0], k.shape[2], v.shape[2]), dtype=final_dtype)
        forward_triton(q, k, v, decay, initial_state, o, final, dtype)
        return o, final
    operands = [None if each is None else each.to(dtype) for each in (q, k, v, decay)]
    o, final = forward_chunks(*operands, _state(initial_state, k, v, dtype))  # type: ignore[arg-type]
    if final.device.type == "cpu" and not bool((final.sum() + o.sum()).isfinite()):
        # products of a chunk multiply what is not finite with zeros, in rows before it too
        o, final = _canonical_reference(*operands, _state(initial_state, k, v, dtype))  # type: ignore[arg-type]
    if not final_dtype.is_complex and dtype.is_complex:
        final = final.real  # only q is complex where the states are not
    return o.to(o_dtype), _own(final, initial_state).to(final_dtype)


_forward = torch.library.custom_op("auditor::linear_attention", _computed, mutates_args=())


def _on_triton(k: Tensor, dtype: torch.dtype) -> bool:
    return usable(k) and not dtype.is_complex and k.shape[2] <= LARGEST_ROWS


def _state(given: Tensor | None, k: Tensor, v: Tensor, dtype: torch.dtype) -> Tensor:
    if given is not None:
        return given.to(dtype)
    return k.new_zeros((k.shape[0], k.shape[2], v.shape[2]), dtype=dtype)


def _own(tensor: Tensor, given: Tensor | None) -> Tensor:
    """An operator's results share no storage with what it was given."""
    return tensor.clone() if tensor is given else tensor


@_forward.register_fake
def _forward_fake(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    decay: Tensor | None,
    initial_state: Tensor | None,
    o_dtype: torch.dtype,
    final_dtype: torch.dtype,
) -> tuple[Tensor, Tensor]:
    final = k.new_empty((k.shape[0], k.shape[2], v.shape[2]), dtype=final_dtype)
    return v.new_empty(v.shape, dtype=o_dtype), final


@torch.library.custom_op("auditor::linear_attention_backward", mutates_args=())
def _backward(
    do: Tensor,
    dfinal: Tensor | None,
    q: Tensor,
    k: Tensor,
    v: Tensor,
    decay: Tensor | None,
    initial_state: Tensor | None,
) -> tuple[Tensor, Tensor, Tensor, Tensor, Tensor]:
    """Gradients of q, k, v, the decay (empty without one) and the initial state."""
    dtype = accumulator(q, k, v, decay, initial_state)
    if _on_triton(k, dtype):
        dv = torch.empty_like(v, memory_format=torch.contiguous_format)
        dinitial = k.new_empty(
            (k.shape[0], k.shape[2], v.shape[2]),
            dtype=dtype if initial_state is None else initial_state.dtype,
        )
        dq, dk, da = backward_triton(do, dfinal, q, k, v, decay, initial_state, dv, dinitial, dtype)
        return (
            dq.to(q.dtype),
            dk.to(k.dtype),
            dv,
            k.new_empty(0) if decay is None or da is None else _folded(da, decay),
            dinitial,
        )
    operands = [
        None if each is None else each.to(dtype).conj().resolve_conj() for each in (q, k, v, decay)
    ]
    state = _state(initial_state, k, v, dtype).conj().resolve_conj()
    later = _state(dfinal, k, v, dtype)
    dq, dk, dv, da, dinitial = backward_chunks(do.to(dtype), later, *operands, state)  # type: ignore[arg-type]
    return (
        dq.to(q.dtype),
        dk.to(k.dtype),
        dv.to(v.dtype),
        k.new_empty(0) if decay is None or da is None else _folded(da, decay),
        _own(dinitial, dfinal).to(dtype if initial_state is None else initial_state.dtype),
    )


def _folded(da: Tensor, decay: Tensor) -> Tensor:
    """Gradients of every step and channel as those of a decay that is the same for some."""
    over = [axis for axis in (1, 2) if decay.shape[axis] == 1 and da.shape[axis] > 1]
    return (da.sum(over, keepdim=True) if over else da).to(decay.dtype)


@_backward.register_fake
def _backward_fake(
    do: Tensor,
    dfinal: Tensor | None,
    q: Tensor,
    k: Tensor,
    v: Tensor,
    decay: Tensor | None,
    initial_state: Tensor | None,
) -> tuple[Tensor, Tensor, Tensor, Tensor, Tensor]:
    def like(tensor: Tensor) -> Tensor:
        return tensor.new_empty(tensor.shape)

    dtype = accumulator(q, k, v, decay, initial_state)
    initial = k.new_empty((k.shape[0], k.shape[2], v.shape[2]), dtype=dtype)
    return (
        like(q),
        like(k),
        like(v),
        k.new_empty(0) if decay is None else like(decay),
        initial if initial_state is None else like(initial_state),
    )


def _setup_context(ctx: Any, inputs: tuple[Any, ...], output: tuple[Tensor, ...]) -> None:
    ctx.set_materialize_grads(False)
    ctx.save_for_backward(*inputs[:5])


def _differentiate(ctx: Any, do: Tensor | None, dfinal: Tensor | None) -> tuple[Tensor | None, ...]:
    q, k, v, decay, initial = ctx.saved_tensors
    if do is None and dfinal is None:
        return (None,) * 7
    if torch.is_grad_enabled():
        # create_graph: the gradients must be differentiable themselves
        grads = differentiable_gradients(_canonical_reference, ctx.saved_tensors, (do, dfinal))
        return (*grads, None, None)
    if do is None:
        do = torch.zeros_like(v)
    found = _backward(do, dfinal, q, k, v, decay, initial)
    return (
        *found[:3],
        None if decay is None else found[3],
        None if initial is None else found[4],
        None,
        None,
    )


def _canonical_reference(
    q: Tensor, k: Tensor, v: Tensor, decay: Tensor | None, initial: Tensor | None
) -> tuple[Tensor, Tensor]:
    a = None if decay is None else decay.unsqueeze(-1)
    found = reference(q, k, v, decay=a, initial_state=initial, output_final_state=True)
    assert isinstance(found, tuple)
    return found


_forward.register_autograd(_differentiate, setup_context=_setup_context)


# ------------------------------------------------------------------------------ public function


def _result_dtypes(
    q: Tensor, k: Tensor, v: Tensor, a: Tensor | float | None, initial: Tensor | None
) -> tuple[torch.dtype, torch.dtype]:
    """The dtypes that the reference's outputs and final state have: those of its step, done on no
    elements."""
    query, key, value = (each.new_empty((0,) * min(each.ndim, 1)) for each in (q, k, v))
    S = key if initial is None else initial.new_empty(0)
    if isinstance(a, Tensor):
        a = a.new_empty((0,) * min(a.ndim, 1)) if a.ndim else a.detach()
    S = (S if a is None else a * S) + key * value
    return (query * S).sum(-1).dtype, S.dtype


def _factors(g: Tensor | None, decay: Tensor | float | None, k: Tensor, v: Tensor) -> Tensor | None:
    """The decay as a tensor, in the precision to compute in, with the axes of the state."""
    if g is not None:
        return torch.exp(g.to(accumulator(g))).unsqueeze(-1)
    if decay is None or (isinstance(decay, Tensor) and decay.ndim):
        return decay
    dtype = accumulator(k.new_empty(0) * decay, v)
    if isinstance(decay, Tensor):
        # a number on the CPU takes part wherever the others are
        return decay.to(k.device, dtype).view(1, 1)
    return torch.full((1, 1), decay, dtype=dtype, device=k.device)


class _Layout:
    """How operands of any layout lie as (G, T, D): axes of batch and heads, time, channels."""

    def __init__(self, q: Tensor, k: Tensor, v: Tensor, a: Tensor | None, dim: int) -> None:
        self.rank = max(q.ndim, k.ndim, v.ndim)
        self.dim = time_axis(dim, self.rank)
        self.given = [None if each is None else self._moved(each) for each in (q, k, v, a)]

    def _moved(self, tensor: Tensor) -> Tensor:
        return tensor[(None,) * (self.rank - tensor.ndim)].movedim(self.dim, -2)

    def fits(self, initial: Tensor | None) -> bool:
        """Whether the operator takes the operands; if not the reference must run."""
        q, k, v, a = self.given
        assert q is not None and k is not None and v is not None
        given = [each for each in self.given if each is not None]
        self.length = max(each.shape[-2] for each in given)
        self.channels, self.width = k.shape[-1], v.shape[-1]
        if (
            q.shape[-1] != self.channels
            or (a is not None and a.shape[-1] not in (1, self.channels))
            or any(each.shape[-2] not in (1, self.length) for each in given)
            or 0 in (self.length, self.channels, self.width)
        ):
            return False
        states = [each.shape[:-2] for each in given[1:]]
        if initial is not None:
            if initial.ndim < 2 or initial.ndim > self.rank:
                return False
            if initial.shape[-2:] != (self.channels, self.width):
                return False
            states.append(initial.shape[:-2])
        try:
            self.states = broadcast(*states)
            self.batch = broadcast(self.states, q.shape[:-2])
        except RuntimeError:
            return False
        return 0 not in self.batch

    def loop_is_faster(self, initial: Tensor | None) -> bool:
        """Whether the sequence is so short, or the states so many and small, that the loop is
        faster on a CPU."""
        a = self.given[3]
        by_channel = a is not None and a.shape[-1] > 1
        if self.length <= SHORT_SEQUENCE * (3 if by_channel else 1):
            return True
        given = [each for each in (*self.given, initial) if each is not None]
        wanted = torch.is_grad_enabled() and any(each.requires_grad for each in given)
        small = self.channels * self.width * (2 if wanted else 1) <= SMALL_STATE
        return small and math.prod(self.batch) * (2 if by_channel else 1) > MANY_STATES

    def canonical(
        self, initial: Tensor | None
    ) -> tuple[Tensor, Tensor, Tensor, Tensor | None, Tensor | None]:
        """The operands of the operator."""
        q, k, v, a = self.given
        assert q is not None and k is not None and v is not None

        def flat(tensor: Tensor, rows: int) -> Tensor:
            whole = tensor.expand(*self.batch, rows, tensor.shape[-1])
            return whole.reshape(-1, rows, tensor.shape[-1])

        return (
            flat(q, self.length),
            flat(k, self.length),
            flat(v, self.length),
            None if a is None else flat(a, a.shape[-2]),
            None if initial is None else flat(initial, self.channels),
        )

    def outputs(self, o: Tensor) -> Tensor:
        """(G, T, E) in the layout of the operands."""
        return o.view(*self.batch, *o.shape[1:]).movedim(-2, self.dim).contiguous()

    def final(self, state: Tensor) -> Tensor:
        """(G, D, E) with the axes that the state has: those of the queries alone are not among
        them."""
        whole = state.view(*self.batch, *state.shape[1:])
        own = (1,) * (len(self.batch) - len(self.states)) + tuple(self.states)
        for axis, (extent, mine) in enumerate(zip(self.batch, own, strict=True)):
            if extent != mine:
                whole = whole.narrow(axis, 0, 1)
        return whole.reshape(*self.states, *state.shape[1:])


def _lasting(
    q: Tensor, k: Tensor, v: Tensor, a: Tensor | None, initial: Tensor | None
) -> tuple[Tensor, Tensor, Tensor, Tensor | None, Tensor | None]:
    """Operands that the backward pass may read. The operator keeps them all, the loop only what
    the gradient of another operand needs: the rest a caller may have overwritten."""
    needs = [each is not None and each.requires_grad for each in (q, k, v, a, initial)]
    if not torch.is_grad_enabled() or not any(needs):
        return q, k, v, a, initial
    state = any(needs[1:])
    return (
        q if state else private(q),
        k if needs[2] else private(k),
        v if needs[1] else private(v),
        a if a is None or state else private(a),
        initial if initial is None or needs[3] else private(initial),
    )


def _evidently_short(q: Tensor, k: Tensor, v: Tensor, dim: int) -> bool:
    """Whether few steps on a CPU are seen before the operands are laid out."""
    rank = q.ndim
    if not (q.is_cpu and k.ndim == v.ndim == rank and -rank <= dim < rank):
        return False
    return max(q.shape[dim], k.shape[dim], v.shape[dim]) <= SHORT_SEQUENCE


def linear_attention(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    g: Tensor | None = None,
    *,
    decay: Tensor | float | None = None,
    dim: int = 1,
    reverse: bool = False,
    exclusive: bool = False,
    scale: float | None = None,
    initial_state: Tensor | float | None = None,
    output_final_state: bool = False,
) -> Tensor | tuple[Tensor, Tensor]:
    """S_t = a_t S_{t-1} + k_t v_t^T and o_t = q_t S_t.

    Args:
        q, k: (batch, length, heads, D), or any axes of batch and heads around the sequence.
        v: (batch, length, heads, E).
        g: the logarithm of the decay, broadcast to k: (..., 1) decays all channels alike.
        decay: the decay itself, instead of g: a number, or a tensor that broadcasts to the states
            of all steps, (batch, length, heads, D, 1). Zero, negative and growing ones are exact
            too.
        dim: the axis of the sequence, after broadcasting; not the last.
        reverse: from the last step to the first.
        exclusive: o_t = q_t S_{t-1}, the state read before the step's own update.
        scale: multiplies q; None is 1.
        initial_state: S before the first step, (batch, heads, D, E): the axes of k in their order
            without the sequence, then E; or a number; None is zero.
        output_final_state: return S after the last step as well.

    Any strides; q, k, v and the decay broadcast against each other in all axes but the last. The
    results have the dtypes the plain loop has; half types accumulate in float32. Differentiable in
    every tensor, the initial and the final state, any number of times. What is infinite or NaN
    stays in the rows from its own on, except on a GPU and in gradients: there it may reach all of
    its chunk.

    Returns:
        o, laid out as q with the channels of v; or (o, final state).

    Raises:
        What `reference` raises: everything the operator does not cover is handed to it.
    """
    if isinstance(initial_state, (int, float)):
        _, dtype = _result_dtypes(q, k, v, _decay(g, decay), None)
        dtype = torch.result_type(k.new_empty(0, dtype=dtype), initial_state)
        state = k.new_full((k.shape[-1], v.shape[-1]), initial_state, dtype=dtype)
    else:
        state = initial_state

    def plain() -> Tensor | tuple[Tensor, Tensor]:
        return reference(
            *(q, k, v, g),
            decay=decay,
            dim=dim,
            reverse=reverse,
            exclusive=exclusive,
            scale=scale,
            initial_state=state,
            output_final_state=output_final_state,
        )

    if _evidently_short(q, k, v, dim):
        return plain()
    tensors = [each for each in (q, k, v, g, decay, state) if isinstance(each, Tensor)]
    if (
        (g is not None and decay is not None)
        or transformed()
        or any(not (each.is_floating_point() or each.is_complex()) for each in tensors)
    ):
        return plain()
    a = _factors(g, decay, k, v)
    rank = max(q.ndim, k.ndim, v.ndim)
    if (
        any(each.ndim < 2 for each in (q, k, v))
        or (a is not None and (a.ndim > rank + 1 or a.shape[-1] != 1))
        or any(each.device != q.device for each in (k, v, a, state) if each is not None)
    ):
        return plain()
    rows = None if a is None else a.squeeze(-1)
    layout = _Layout(q if scale is None else q * scale, k, v, rows, dim)
    if not layout.fits(state) or (q.device.type == "cpu" and layout.loop_is_faster(state)):
        return plain()
    operands = layout.canonical(state)
    dtypes = _result_dtypes(q, k, v, _decay(g, decay), state)
    if any(each.is_complex() for each in (*tensors, a) if each is not None):
        dtype = accumulator(*tensors, a)
        operands = tuple(None if each is None else each.to(dtype) for each in operands)  # type: ignore[assignment]
    if reverse:
        operands = (*(None if each is None else each.flip(1) for each in operands[:4]), operands[4])  # type: ignore[assignment]
    queries, keys, values, factors, initial = operands
    if exclusive:
        # each query meets the state of the step before: the outputs of the query after, moved on
        first = queries[:, :1]
        queries = torch.cat((queries[:, 1:], torch.zeros_like(first)), 1)
    operands = _lasting(queries, keys, values, factors, initial)
    attend = _computed if unrecorded(*operands) else _forward
    o, final = attend(*operands, *dtypes)
    if not any(each.requires_grad for each in operands[1:] if each is not None):
        final = final.detach()  # nothing of the queries is in it
    if exclusive:
        if initial is None:
            start = torch.zeros_like(o[:, :1])
        else:
            wide = accumulator(first, initial)
            start = (first.to(wide) @ initial.to(wide)).to(o.dtype)
        o = torch.cat((start, o[:, :-1]), 1)
    o = layout.outputs(o.flip(1) if reverse else o)
    return (o, layout.final(final)) if output_final_state else o
