"""The delta rule: a matrix as state that is corrected towards what it should answer to each key.

For every batch element and head, with t running over the sequence, d over the channels of queries
and keys, e over those of values:

    u[t, e]    = beta[t] (v[t, e] - sum_d k[t, d] a[t] S[t-1, d, e])
    S[t, d, e] = a[t] S[t-1, d, e] + k[t, d] u[t, e]
    o[t, e]    = sum_d q[t, d] S[t, d, e]

DeltaNet has no decay a, gated DeltaNet one a step. The step is affine in S with a dense transition,
A[t] = a[t] (I - beta[t] k[t] k[t]^T); "multiply by A, then add U" is an element (A, U) of the
semigroup of affine maps:

    identity                             (I, 0)
    combine, first (A, U), then (C, V)   (C A, C U + V)

Products of transitions are never formed: over a piece of C steps they are I plus C outer products.
With P[i] the product of the decays up to step i of a piece, L[i, j] that of those from j + 1 to i,
and T[i, j] = beta[i] L[i, j] (k[i] . k[j]) below the diagonal,

    (I + T) u = beta (v - P k S[0]),   so u = u0 - w S[0] with (I + T) [u0, w] = beta [v, P k]
    o = P q S[0] + (L q k^T) u         S[C] = P[C] S[0] + (L[C] k)^T u

One triangular system for all pieces at once, then two products a piece. Only products of
neighbouring decays are formed, so decays may be zero or negative. Where transitions shrink, w is no
longer than beta k; where it is much longer, the plain loop runs.

Gradients are autograd's own through these calls, any number of times. Sources: Yang, Wang, Zhang,
Shen and Kim, "Parallelizing Linear Transformers with the Delta Rule over Sequence Length" (2024);
Yang, Kautz and Hatamizadeh, "Gated Delta Networks" (2024).
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from .gradients import private
from .linear_attention import time_axis, without
from .linear_attention_chunks import balanced, chunk_length
from .precision import accumulator
from .shapes import broadcast
from .surroundings import autocasting, unseen

SHORT_SEQUENCE = 8
"""Up to here the plain loop is the fastest."""

MANY_STATES = 96
"""More states than so many, if small ones, the loop advances faster on a CPU."""

SMALL_STATE = 144
"""Numbers of a small state."""

LONGEST = 8
"""How much longer than beta k a row of w may be: transitions that shrink give 1."""

TOLERANCE: dict[torch.dtype, tuple[float, float]] = {
    torch.float64: (1e-12, 1e-11),
    torch.float32: (2e-5, 2e-4),
    torch.float16: (2e-3, 8e-3),
    torch.bfloat16: (1.6e-2, 6.4e-2),
}
"""Largest error against float64 relative to max|reference|: (outputs, gradients), for keys no
longer than 1 and beta up to 1. Half types accumulate in float32 and round once, at the end.
"""

Result = Tensor | tuple[Tensor, Tensor]


def reference(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    beta: Tensor | float,
    g: Tensor | None = None,
    *,
    decay: Tensor | float | None = None,
    dim: int = 1,
    reverse: bool = False,
    scale: float | None = None,
    initial_state: Tensor | None = None,
    output_final_state: bool = False,
) -> Result:
    """What `delta_rule` computes, one step at a time."""
    a = _decay(g, decay)
    rank = max(q.ndim, k.ndim, v.ndim)
    dim = time_axis(dim, rank)
    rows = [each[(None,) * (rank - each.ndim)] for each in (q, k, v)]
    (length,) = broadcast(*(each.shape[dim : dim + 1] for each in rows))

    def steps(each: Tensor) -> tuple[Tensor, ...]:
        return each.expand(*each.shape[:dim], length, *each.shape[dim + 1 :]).unbind(dim)

    def rates(rate: Tensor | float) -> Any:
        if not isinstance(rate, Tensor) or not rate.ndim:
            return (rate,) * length
        return steps(rate[(None,) * (rank - 1 - rate.ndim)][..., None])

    S = initial_state
    if S is None:
        batch = broadcast(*(without(x.shape[:-1], dim) for x in rows[1:]))
        S = k.new_zeros((*batch, k.shape[-1], v.shape[-1]))
    outputs = []
    each = [*zip(*map(steps, rows), rates(beta), rates(1.0 if a is None else a), strict=True)]
    for query, key, value, rate, left in reversed(each) if reverse else each:
        if a is not None:
            S = S * (left[..., None] if isinstance(left, Tensor) and left.ndim else left)
        delta = (value - (S * key[..., :, None]).sum(-2)) * rate
        S = S + key[..., :, None] * delta[..., None, :]
        outputs.append((S * (query if scale is None else query * scale)[..., :, None]).sum(-2))
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
    return decay if g is None else torch.exp(g)


# ---------------------------------------------------------------------------------- in chunks
#
# (G, T, D) for batch and heads as one, time, channels; chunks are (G, N, C, D).


def _in_chunks(
    q: Tensor, k: Tensor, v: Tensor, beta: Tensor, a: Tensor | None, state: Tensor
) -> tuple[Tensor, Tensor] | None:
    """The outputs and the last state; beta and the decays are (G, T, 1). None where the loop must
    run."""
    length = q.shape[1]
    chunk = min(length, chunk_length(a, q.dtype, balanced(k.shape[-1], v.shape[-1])))
    missing = -length % chunk

    def cut(rows: Tensor, fill: float = 0.0) -> Tensor:
        """Whole chunks; the steps that are added change nothing."""
        whole = torch.nn.functional.pad(rows, (0, 0, 0, missing), value=fill) if missing else rows
        return whole.unflatten(1, (-1, chunk))

    q, k, v, beta = cut(q), cut(k), cut(v), cut(beta)
    scores, system = q @ k.mT, beta * (k @ k.mT)
    queries, keys, corrected = q, k, beta * k
    left: list[Tensor] | None = None
    if a is None:
        scores = scores.tril()
    else:
        between, upto, after = _products(cut(a, 1.0))
        scores, system = scores * between, system * between
        queries, keys, corrected = q * upto, k * after, corrected * upto
        left = list(upto[:, :, -1:].unbind(1))
    # the solver reads what is below the diagonal, and takes ones on it
    solved = torch.linalg.solve_triangular(
        system, torch.cat((beta * v, corrected), -1), upper=False, unitriangular=True
    )
    u0, w = solved.split((v.shape[-1], k.shape[-1]), -1)
    longest = LONGEST * (beta * k).detach().abs().amax()
    if not bool((w.detach().abs().amax() <= longest) & u0.detach().isfinite().all()):
        return None
    states, updates = [], []
    for n, (given, back, kept) in enumerate(
        zip(u0.unbind(1), w.unbind(1), keys.mT.unbind(1), strict=True)
    ):
        states.append(state)
        update = torch.baddbmm(given, back, state, alpha=-1)
        updates.append(update)
        state = torch.baddbmm(state if left is None else left[n] * state, kept, update)
    o = scores @ torch.stack(updates, 1) + queries @ torch.stack(states, 1)
    if not bool((o.detach().sum() + state.detach().sum()).isfinite()):
        return None  # products of a piece multiply what is not finite with zeros
    return o.flatten(1, 2)[:, :length], state


def _products(a: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """Of the decays (G, N, C, 1): the products from j + 1 to i at [i, j], zero above the diagonal;
    those up to each step; those after each step."""
    chunk = a.shape[2]
    later = torch.ones((chunk, chunk), dtype=torch.bool, device=a.device).triu(1)
    between = torch.where(later, a.mT, a.new_ones(())).cumprod(-1).triu().mT
    return between, a[:, :, :1] * between[:, :, :, :1], between[:, :, -1:].mT


def _lasting(
    q: Tensor, k: Tensor, v: Tensor, beta: Tensor, a: Tensor | None, initial: Tensor | None
) -> tuple[Tensor, Tensor, Tensor, Tensor, Tensor | None, Tensor | None]:
    """Operands that the backward pass may read. Chunks keep them all, the loop only what the
    gradient of another operand needs: the rest a caller may have overwritten."""
    operands = (q, k, v, beta, a, initial)
    needs = [each is not None and each.requires_grad for each in operands]
    if not torch.is_grad_enabled() or not any(needs):
        return operands
    if not any(needs[1:]):
        q, k, beta, a = private(q), private(k), private(beta), None if a is None else private(a)
    if initial is not None and not (needs[1] if a is None else needs[4]):
        initial = private(initial)
    return q, k, private(v), beta, a, initial


def delta_rule(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    beta: Tensor | float,
    g: Tensor | None = None,
    *,
    decay: Tensor | float | None = None,
    dim: int = 1,
    reverse: bool = False,
    scale: float | None = None,
    initial_state: Tensor | None = None,
    output_final_state: bool = False,
) -> Result:
    """S_t = a_t S_{t-1} + k_t u_t^T with u_t = beta_t (v_t - a_t S_{t-1}^T k_t), and o_t = q_t S_t.

    Args:
        q, k: (batch, length, heads, D), or any axes of batch and heads around the sequence.
        v: (batch, length, heads, E).
        beta: the rate of each correction, (batch, length, heads), or a number.
        g: the logarithm of the decay, (batch, length, heads); None for none.
        decay: the decay itself, instead of g, or a number. Zero, negative and growing ones are
            exact too.
        dim: the axis of the sequence, after broadcasting; not the last.
        reverse: from the last step to the first.
        scale: multiplies q; None is 1.
        initial_state: S before the first step, (batch, heads, D, E): the axes of k in their order
            without the sequence, then E; None is zero.
        output_final_state: return S after the last step as well.

    Any strides; all but the last axis of q, k and v, and all axes of the rates, broadcast. Where
    all tensors are floating, of one dtype and device, the sequence is taken in chunks; half types
    then accumulate in float32. Everything else, and
    keys so long that a correction overshoots and the state grows, runs the loop. Differentiable in
    every tensor, the initial and the final state, any number of times.

    Returns:
        o, laid out as q with the channels of v; or (o, final state).

    Raises:
        What `reference` raises.
    """
    a = _decay(g, decay)
    found = _run(q, k, v, beta, a, dim, reverse, scale, initial_state)
    if found is None:
        found = reference(
            *(q, k, v, beta),
            decay=a,
            dim=dim,
            reverse=reverse,
            scale=scale,
            initial_state=initial_state,
            output_final_state=True,
        )
    return found if output_final_state else found[0]


def _run(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    beta: Tensor | float,
    a: Tensor | float | None,
    dim: int,
    reverse: bool,
    scale: float | None,
    initial: Tensor | None,
) -> tuple[Tensor, Tensor] | None:
    """The call in chunks, in the layout and dtype of the operands; None where the loop must run."""
    rank = max(q.ndim, k.ndim, v.ndim)
    if q.ndim == k.ndim == rank and -rank <= dim < rank:
        if max(q.shape[dim], k.shape[dim]) <= SHORT_SEQUENCE:
            return None  # asked first: there every call counts
    given = [each for each in (q, k, v, beta, a, initial) if isinstance(each, Tensor)]
    if (
        unseen(*given)
        or not -rank <= dim < rank - 1
        or dim == -1
        or not q.is_floating_point()
        or any(isinstance(each, complex) for each in (beta, a))
        or any(each.dtype != q.dtype or each.device != q.device for each in given)
        or 0 in (*q.shape, *k.shape, *v.shape)
        or autocasting(q)
    ):
        return None
    wide = accumulator(q)
    rates = [_full(each, wide, q) for each in (beta, a)]
    if any(each is not None and each.ndim > rank - 1 for each in rates):
        return None
    dim %= rank
    try:
        lead = broadcast(
            *(each.shape[:-1] for each in (k, v)), *(x.shape for x in rates if x is not None)
        )
        queries = q.expand(*lead, q.shape[-1])
    except RuntimeError:
        return None
    batch, length, channels, width = without(lead, dim), lead[dim], k.shape[-1], v.shape[-1]
    small = channels * width <= SMALL_STATE
    if (
        len(lead) != rank - 1
        or q.shape[-1] != channels
        or length <= SHORT_SEQUENCE
        or (small and q.device.type == "cpu" and batch.numel() > MANY_STATES)
        or (initial is not None and initial.shape != (*batch, channels, width))
    ):
        return None

    def flat(rows: Tensor) -> Tensor:
        """As (G, T, D), the first step that is taken first."""
        rows = rows.expand(*lead, rows.shape[-1]).movedim(dim, -2)
        rows = rows.reshape(batch.numel(), length, rows.shape[-1]).to(wide)
        return rows.flip(1) if reverse else rows

    if initial is None:
        start = queries.new_zeros((*batch, channels, width), dtype=wide)
    else:
        start = initial
    rate, left = (None if each is None else each.unsqueeze(-1) for each in rates)
    kept = _lasting(queries if scale is None else queries * scale, k, v, rate, left, start)
    factor = None if kept[4] is None else flat(kept[4])
    state = kept[5].reshape(batch.numel(), channels, width).to(wide)
    found = _in_chunks(*map(flat, kept[:4]), factor, state)
    if found is None:
        return None
    o = found[0].flip(1) if reverse else found[0]
    o = o.reshape(*batch, length, width).movedim(-2, dim).to(q.dtype).contiguous()
    return o, found[1].reshape(*batch, channels, width).to(q.dtype)


def _full(rate: Tensor | float | None, dtype: torch.dtype, beside: Tensor) -> Tensor | None:
    """A rate as a tensor; a number in the precision to compute in."""
    if rate is None or isinstance(rate, Tensor):
        return rate
    return torch.full((), rate, dtype=dtype, device=beside.device)
