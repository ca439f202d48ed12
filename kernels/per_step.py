"""Tensors that count steps along their first axis, made to broadcast over all steps at once as they
do within each.

`x[t] * gate[t]` aligns what is left of both from the right; `x * gate` would align the steps of the
narrower one with another axis. Axes of extent 1 behind the first make up for that.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from torch import Tensor


def per_step(*tensors: Tensor, beside: Sequence[Any] = ()) -> tuple[Tensor, ...]:
    """The tensors with equally many axes, `(steps, 1, ..., 1, *rest)`, as views where that can be:
    as many as the widest has, and one more than the widest of what stands `beside` them in every
    step (tensors, arrays or numbers). An error of indexing where a tensor has no axis.

    >>> per_step(torch.zeros(9, 4, 3), torch.ones(9))[1].shape
    torch.Size([9, 1, 1])
    """
    width = max(
        (*(tensor.ndim for tensor in tensors), *(1 + getattr(one, "ndim", 0) for one in beside)),
        default=0,
    )
    return tuple(_widened(tensor, width) for tensor in tensors)


def _widened(tensor: Tensor, width: int) -> Tensor:
    if tensor.ndim == width:
        return tensor
    steps, *rest = tensor.shape
    return tensor.reshape(steps, *(1,) * (width - tensor.ndim), *rest)
