"""What autograd asks of a kernel beside its own backward.

A kernel's backward is an operator without a derivative of its own. When autograd asks for a
gradient that must be differentiable (`create_graph=True`), the kernel's reference is run and
differentiated instead: slow, right, and to any order. Inside the transforms of torch.func (grad,
vmap, jvp, hessian) the reference runs from the start.
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


def distinct(tensor: Tensor) -> Tensor:
    """`tensor` without the repetitions that broadcasting made."""
    for axis, stride in enumerate(tensor.stride()):
        if stride == 0 and tensor.shape[axis] > 1:
            tensor = tensor.narrow(axis, 0, 1)
    return tensor


def private(tensor: Tensor) -> Tensor:
    """A differentiable copy that no caller can write to, repeated where `tensor` is.

    For operands that a kernel keeps for its backward pass and the plain code does not: a caller
    may overwrite those. Where a gradient is wanted the copy is whole: each repetition has its own.
    """
    if tensor.requires_grad:
        return tensor.clone()
    return distinct(tensor).clone().expand(tensor.shape)
