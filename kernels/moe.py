"""A mixture of experts that computes for each token the experts it chose, and no others.

    out_t = sum_s weights_ts  expert_{indices_ts}(x_t)
    expert_e(x) = activation(x A_e + a_e) C_e + c_e      or      (activation(x G_e) * (x A_e)) C_e
                                                         or      x A_e + a_e

The choices are sorted by expert, so that each expert sees its tokens as one matrix; the results are
weighted and added to the tokens that they came from (identity 0, combine +: in any order). No token
is dropped and none is padded: k of n experts cost k products a token, where running all of them
costs n. Everything is an operation of torch, so are the derivatives, of any order.

Source: Gale et al., "MegaBlocks: Efficient Sparse Training with Mixture-of-Experts" (2022).
"""

from __future__ import annotations

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


def _expert(
    x: Tensor,
    first: Tensor,
    last: Tensor | None,
    gate: Tensor | None,
    biases: tuple[Tensor | None, Tensor | None],
    activation: Callable[[Tensor], Tensor],
) -> Tensor:
    """One expert on its tokens. x: (tokens, d)."""
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
        and not unseen(*given, indices, weights)
    )
    chosen = indices.reshape(-1)
    if not fits or int(chosen.min()) < 0 or int(chosen.max()) >= experts:
        return reference(x, indices, weights, w_in, w_out, activation=activation, **options)
    order = chosen.argsort(stable=True)
    token = order // slots
    counts = torch.bincount(chosen, minlength=experts).tolist()
    parts = x.reshape(-1, x.shape[-1])[token].split(counts)
    stacks = [
        [None] * experts if each is None else list(each.unbind(0))
        for each in (w_in, w_out, w_gate, b_in, b_out)
    ]
    found = [
        _expert(part, first, last, gate, biases, activation)
        for part, first, last, gate, *biases in zip(parts, *stacks, strict=True)
        if len(part)
    ]
    share = weights.reshape(-1)[order].unsqueeze(-1)
    # sums of half types are taken in float32
    wide = widened(x.dtype)
    width = _width(w_in, w_out)
    out = torch.zeros(x.numel() // x.shape[-1], width, dtype=wide, device=x.device)
    out = out.index_add(0, token, (share * torch.cat(found)).to(wide))
    return out.to(x.dtype).reshape(*x.shape[:-1], width)
