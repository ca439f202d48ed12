"""Gradients of gradients: differentiating a reference where a kernel's own backward is not enough.

A kernel's backward is an operator without a derivative of its own. When autograd asks for a
gradient that must be differentiable (`create_graph=True`), the kernel's reference is run and
differentiated instead: slow, right, and to any order.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import torch
from torch import Tensor


def differentiable_gradients(
    results_of: Callable[..., Sequence[Tensor]],
    operands: Sequence[Tensor | None],
    grads: Sequence[Tensor | None],
    *,
    views: bool = True,
) -> list[Tensor | None]:
    """Gradients of `results_of(*operands)` against `grads`, with an autograd graph of their own.

    `views` is False where the results are those of the operands themselves.

    Returns one entry an operand, None for those that are None or need no gradient.
    """
    # views, so that one tensor passed as two operands is told apart
    seen = [each.view_as(each) if views and each is not None else each for each in operands]
    wanted = [each for each in seen if each is not None and each.requires_grad]
    paired = [
        (result, grad.to(result.dtype))
        for result, grad in zip(results_of(*seen), grads, strict=True)
        if grad is not None and result.requires_grad
    ]
    if not paired or not wanted:
        return [None for _ in seen]
    found = iter(
        torch.autograd.grad(
            [result for result, _ in paired],
            wanted,
            [grad for _, grad in paired],
            create_graph=True,
            allow_unused=True,
        )
    )
    return [next(found) if each is not None and each.requires_grad else None for each in seen]
