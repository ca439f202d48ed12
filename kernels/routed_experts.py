"""Experts that are functions of rows, each applied to the tokens that chose it and to no others.

    out_t = sum_s weights_ts  experts_{indices_ts}(x_t)

`moe` with experts that are modules: the choices are sorted by expert, so that each sees its tokens
as one matrix, and what it gives is put back at the token and slot that it came from and summed over
the slots (identity 0, combine +). k of n experts cost k applications a token, where running all of
them costs n. An expert that no token chose is applied to no rows where gradients are recorded: its
parameters then have gradients of zero, as where it is applied to all and multiplied by zero.

Source: Gale et al., "MegaBlocks: Efficient Sparse Training with Mixture-of-Experts" (2022).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import torch
from torch import Tensor

from .surroundings import unseen

TOLERANCE: dict[torch.dtype, tuple[float, float]] = {
    torch.float64: (1e-12, 1e-11),
    torch.float32: (1e-5, 1e-4),
    torch.float16: (4e-3, 2e-2),
    torch.bfloat16: (3.2e-2, 1.6e-1),
}
"""Largest error against float64 relative to max|reference|: (outputs, gradients).

The rows go through the same operations in other batches; k of them are added.
"""

Expert = Callable[[Tensor], Tensor]


def reference(
    experts: Sequence[Expert],
    x: Tensor,
    indices: Tensor,
    weights: Tensor,
    *,
    skip_empty: bool = False,
) -> Tensor:
    """What `routed_experts` computes: every expert on every token, times its share. Without experts
    there is nothing to add to zeros, which are as wide as the tokens; where all are left out,
    nothing has a gradient."""
    if not len(experts):
        return torch.zeros_like(x)
    used = [e for e in range(len(experts)) if not skip_empty or bool((indices == e).any())]
    parts = [(weights * (indices == e)).sum(-1, keepdim=True) * experts[e](x) for e in used or [0]]
    return sum(parts[1:], parts[0]) if used else parts[0].detach()


def routed_experts(
    experts: Sequence[Expert],
    x: Tensor,
    indices: Tensor,
    weights: Tensor,
    *,
    skip_empty: bool = False,
) -> Tensor:
    """The weighted results of the experts that each token chose.

    Args:
        experts: at least one function of (rows, d) that gives (rows, out), each row on its own.
        x: (..., d).
        indices: (..., k), integers: the experts of a token, the same one perhaps twice; a number
            that is no expert's adds nothing.
        weights: (..., k), of any dtype.
        skip_empty: whether an expert that no token chose is left out where gradients are recorded
            too: then its parameters have none.

    Differentiable in x, weights and what the experts hold, any number of times.

    Returns:
        (..., out), in the dtype that weights and results have together.

    Raises:
        What `reference` raises: operands that do not fit are handed to it.
    """
    count, slots = len(experts), indices.shape[-1] if indices.ndim else 0
    fits = (
        0 < slots <= count // 2  # of more, sorting costs more than it saves
        and x.ndim >= 1
        and x.numel() > 0
        and indices.shape == weights.shape
        and indices.shape[:-1] == x.shape[:-1]
        and not (indices.is_floating_point() or indices.is_complex())
        and indices.dtype != torch.bool
        and x.device == indices.device == weights.device
        and not unseen(x, indices, weights)
    )
    if not fits:
        return reference(experts, x, indices, weights, skip_empty=skip_empty)
    chosen, order = indices.reshape(-1).sort(stable=True)
    ends = torch.searchsorted(chosen, torch.arange(1, count + 1, device=x.device))
    least, *stops = torch.cat((chosen[:1], ends)).tolist()
    if least < 0 or stops[-1] < len(chosen):
        return reference(experts, x, indices, weights, skip_empty=skip_empty)
    rows = x.reshape(-1, x.shape[-1]).index_select(0, order // slots)
    parts = rows.tensor_split(stops[:-1])
    recorded = torch.is_grad_enabled() and not skip_empty
    found = [
        expert(part) for expert, part in zip(experts, parts, strict=True) if len(part) or recorded
    ]
    share = weights.reshape(-1).index_select(0, order).unsqueeze(-1)
    weighted = share * torch.cat(found)
    back = torch.empty_like(weighted).index_copy(0, order, weighted)
    return back.reshape(*indices.shape, -1).sum(-2)
