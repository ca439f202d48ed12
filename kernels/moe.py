"""A mixture of experts that computes for each token the experts it chose, and no others.

    out_t = sum_s weights_ts  expert_{indices_ts}(x_t)
    expert_e(x) = activation(x A_e + a_e) C_e + c_e      or      (activation(x G_e) * (x A_e)) C_e
                                                         or      x A_e + a_e

The choices are sorted by expert, so that each expert sees its tokens as one matrix; the results are
weighted and added to the tokens that they came from (identity 0, combine +: in any order). No token
is dropped: k of n experts cost k products a token, where running all of them costs n. Where all of
them multiply little all are run, and of their results those that were chosen are added. On a GPU,
where starting a product costs more than a small one, all experts go as one batch as long as filling
the shorter ones up does not double the work. Everything is an operation of torch, so are the
derivatives, of any order.

Source: Gale et al., "MegaBlocks: Efficient Sparse Training with Mixture-of-Experts" (2022).
"""

from __future__ import annotations

import functools
from collections.abc import Callable

import torch
import torch.nn.functional as F
from torch import Tensor

from .precision import widened
from .surroundings import unseen

TOLERANCE: dict[torch.dtype, tuple[float, float]] = {
    torch.float64: (1e-12, 1e-11),
    torch.float32: (1e-5, 1e-4),
    torch.float16: (4e-3, 2e-2),
    torch.bfloat16: (3.2e-2, 1.6e-1),
}
"""Largest error against float64 relative to max|reference|: (outputs, gradients).

Two products whose sums only change their order, with one rounding to the dtype between them.
"""


FILLED = 2
"""Rows of a batch of all experts for each row that was chosen, up to which one batch is faster on a
GPU than one product after the other."""

FEW_PRODUCTS = {"cpu": 1 << 21, "cuda": 1 << 30}
"""Up to so many multiplications by all experts for all tokens take less time than sorting the
choices does, and on a GPU than waiting for what was counted."""


def _expert(
    x: Tensor,
    first: Tensor,
    last: Tensor | None,
    gate: Tensor | None,
    biases: tuple[Tensor | None, Tensor | None],
    activation: Callable[[Tensor], Tensor],
) -> Tensor:
    """One expert on its tokens, or all on theirs. x: (tokens, d) or (experts, tokens, d)."""
    hidden = x @ first
    if biases[0] is not None:
        hidden = hidden + biases[0]
    if last is None:
        return hidden
    hidden = activation(hidden) if gate is None else activation(x @ gate) * hidden
    found = hidden @ last
    return found if biases[1] is None else found + biases[1]


def _width(w_in: Tensor, w_out: Tensor | None) -> int:
    return (w_in if w_out is None else w_out).shape[-1]


def reference(
    x: Tensor,
    indices: Tensor,
    weights: Tensor,
    w_in: Tensor,
    w_out: Tensor | None = None,
    *,
    w_gate: Tensor | None = None,
    b_in: Tensor | None = None,
    b_out: Tensor | None = None,
    activation: Callable[[Tensor], Tensor] = F.silu,
) -> Tensor:
    """What `moe` computes: every expert on every token, and of that what was chosen."""
    out = x.new_zeros(*x.shape[:-1], _width(w_in, w_out))
    for e in range(len(w_in)):
        gate = None if w_gate is None else w_gate[e]
        biases = (None if b_in is None else b_in[e], None if b_out is None else b_out[e])
        last = None if w_out is None else w_out[e]
        found = _expert(x, w_in[e], last, gate, biases, activation)
        chosen = indices == e
        share = torch.where(chosen, weights, 0.0).sum(-1, keepdim=True)
        out = out + torch.where(chosen.any(-1, keepdim=True), share * found, 0.0)
    return out


def _everywhere(
    x: Tensor,
    indices: Tensor,
    weights: Tensor,
    stacks: Stacks,
    activation: Callable[[Tensor], Tensor],
) -> Tensor:
    """All experts on all tokens, and the sum of what was chosen, in the dtype that sums are taken
    in. x: (tokens, d); indices and weights: (tokens, slots). No value decides what is done."""
    w_in, w_out, w_gate, b_in, b_out = stacks
    first, last = (None if each is None else each.unsqueeze(1) for each in (b_in, b_out))
    found = _expert(x, w_in, w_out, w_gate, (first, last), activation)
    there = indices.clamp(0, len(w_in) - 1)
    rows = torch.arange(len(x), device=x.device).unsqueeze(1)
    chosen = weights.unsqueeze(-1) * found[there, rows]
    chosen = chosen.masked_fill((there != indices).unsqueeze(-1), 0.0)
    return chosen.sum(1, dtype=widened(chosen.dtype)).to(torch.promote_types(x.dtype, found.dtype))


Stacks = tuple[Tensor, Tensor | None, Tensor | None, Tensor | None, Tensor | None]
"""w_in, w_out, w_gate, b_in and b_out of all experts."""


def _one_by_one(
    x: Tensor,
    token: Tensor,
    counts: list[int],
    stacks: Stacks,
    activation: Callable[[Tensor], Tensor],
) -> Tensor:
    """The experts' results: each on as many of the tokens as chose it. x: (tokens, d); token: the
    tokens' numbers, sorted by expert."""
    each = [[None] * len(counts) if s is None else list(s.unbind(0)) for s in stacks]
    found = [
        _expert(part, first, last, gate, biases, activation)
        for part, first, last, gate, *biases in zip(x[token].split(counts), *each, strict=True)
        if len(part)
    ]
    return torch.cat(found)


def _in_one_batch(
    x: Tensor,
    token: Tensor,
    chosen: Tensor,
    ends: Tensor,
    most: int,
    stacks: Stacks,
    activation: Callable[[Tensor], Tensor],
) -> Tensor:
    """As `_one_by_one`, with as many rows for each expert as the most chosen one has: its last one
    again and again. chosen: the sorted experts; ends: where those of each expert end."""
    w_in, w_out, w_gate, b_in, b_out = stacks
    starts = torch.cat((ends.new_zeros(1), ends[:-1]))
    row = torch.arange(most, device=x.device) + starts[:, None]
    batch = x[token[row.minimum(ends[:, None] - 1).clamp_min(0)]]
    first, last = (None if each is None else each.unsqueeze(1) for each in (b_in, b_out))
    found = _expert(batch, w_in, w_out, w_gate, (first, last), activation)
    within = torch.arange(len(token), device=x.device) - starts[chosen]
    return found.flatten(0, 1)[chosen * most + within]


def _few(x: Tensor, matrices: list[Tensor], device: str) -> bool:
    """Whether all experts multiply so little with all tokens."""
    each = sum(matrix.numel() for matrix in matrices)
    return x.numel() // x.shape[-1] * each <= FEW_PRODUCTS[device]


def _plain(x: Tensor, indices: Tensor, weights: Tensor, stacks: Stacks) -> bool:
    """Whether the matrices fit, and no gradient is wanted: that of an expert which was not chosen
    need not be a number, and must not be added."""
    w_in, w_out, w_gate, b_in, b_out = stacks
    _, channels, hidden = w_in.shape
    out = w_in if w_out is None else w_out
    given = [each for each in (x, weights, *stacks) if each is not None]
    return (
        channels == x.shape[-1]
        and (w_out is None or w_out.shape[1] == hidden)
        and (w_gate is None or w_gate.shape == w_in.shape)
        and (b_in is None or b_in.shape == (len(w_in), hidden))
        and (b_out is None or b_out.shape == (len(w_in), out.shape[2]))
        and indices.dtype == torch.int64
        and indices.device == weights.device == x.device
        and not (torch.is_grad_enabled() and any(each.requires_grad for each in given))
        and not unseen(*given, indices)
    )


def moe(
    x: Tensor,
    indices: Tensor,
    weights: Tensor,
    w_in: Tensor,
    w_out: Tensor | None = None,
    *,
    w_gate: Tensor | None = None,
    b_in: Tensor | None = None,
    b_out: Tensor | None = None,
    activation: Callable[[Tensor], Tensor] = F.silu,
) -> Tensor:
    """The weighted results of the experts that each token chose.

    Args:
        x: (..., d). indices: (..., k), integers: the experts of a token, the same one perhaps
            twice; a number that is no expert's adds nothing. weights: (..., k).
        w_in: (experts, d, h). w_out: (experts, h, out); without it an expert is ``x w_in`` alone.
        w_gate: (experts, d, h) for gated experts.
        b_in: (experts, h), b_out: (experts, out).
        activation: applied to the hidden values, or to those of the gate; pointwise.

    Differentiable in everything but `indices`, any number of times.

    Returns:
        (..., out), in the dtype that the operands have together.

    Raises:
        What `reference` raises: operands that do not fit are handed to it.
    """
    options = {"w_gate": w_gate, "b_in": b_in, "b_out": b_out}
    given = [x, w_in, *(each for each in (w_out, *options.values()) if each is not None)]
    experts, slots = len(w_in), indices.shape[-1] if indices.ndim else 0
    fits = (
        x.ndim >= 1
        and x.is_floating_point()
        and indices.shape == weights.shape
        and indices.shape[:-1] == x.shape[:-1]
        and not indices.is_floating_point()
        and indices.dtype != torch.bool
        and weights.dtype == x.dtype
        and all(each.dtype == x.dtype and each.device == x.device for each in given)
        and w_in.ndim == 3
        and (w_out is None or w_out.ndim == 3)
        and all(len(each) == experts for each in given[1:])
        and slots * x.numel() > 0
    )
    plain = functools.partial(reference, activation=activation, **options)
    if not fits:
        return plain(x, indices, weights, w_in, w_out)
    stacks = (w_in, w_out, w_gate, b_in, b_out)
    if _few(x, given[1:], "cpu" if x.is_cpu else "cuda") and _plain(x, indices, weights, stacks):
        choices = indices.reshape(-1, slots), weights.reshape(-1, slots)
        summed = _everywhere(x.reshape(-1, x.shape[-1]), *choices, stacks, activation)
        return summed.reshape(*x.shape[:-1], summed.shape[-1])
    if unseen(*given, indices, weights):
        return plain(x, indices, weights, w_in, w_out)
    chosen, order = indices.reshape(-1).sort(stable=True)
    ends = torch.searchsorted(chosen, torch.arange(1, experts + 1, device=x.device))
    least, *stops = torch.cat((chosen[:1], ends)).tolist()
    if least < 0 or stops[-1] < len(chosen):
        return plain(x, indices, weights, w_in, w_out)
    tokens, token = x.reshape(-1, x.shape[-1]), order // slots
    counts = [stop - start for start, stop in zip([0, *stops], stops, strict=False)]
    if x.is_cuda and experts * max(counts) <= FILLED * len(token):
        found = _in_one_batch(tokens, token, chosen, ends, max(counts), stacks, activation)
    else:
        found = _one_by_one(tokens, token, counts, stacks, activation)
    share = weights.reshape(-1)[order].unsqueeze(-1)
    # sums of half types are taken in float32
    wide = widened(x.dtype)
    width = _width(w_in, w_out)
    out = torch.zeros(len(tokens), width, dtype=wide, device=x.device)
    found = share * found  # under autocast perhaps in another dtype
    out = out.index_add(0, token, found.to(wide))
    dtype = torch.promote_types(x.dtype, found.dtype)
    return out.to(dtype).reshape(*x.shape[:-1], width)
