"""What processes tell each other: the summaries of their pieces, and the gradients of those."""

from __future__ import annotations

from typing import Any

import torch
import torch.distributed as dist
from torch import Tensor


class _Gathered(torch.autograd.Function):
    """What all processes give, in the order of their ranks: (processes, ...)."""

    @staticmethod
    def forward(ctx: Any, own: Tensor, group: dist.ProcessGroup | None) -> Tensor:
        ctx.group = group
        parts = [torch.empty_like(own) for _ in range(dist.get_world_size(group))]
        dist.all_gather(parts, own, group=group)
        return torch.stack(parts)

    @staticmethod
    def backward(ctx: Any, grads: Tensor) -> tuple[Tensor, None]:
        return _Returned.apply(grads, ctx.group), None


class _Returned(torch.autograd.Function):
    """The sum over all processes of what they have for this one."""

    @staticmethod
    def forward(ctx: Any, given: Tensor, group: dist.ProcessGroup | None) -> Tensor:
        ctx.group = group
        total = given.clone(memory_format=torch.contiguous_format)
        dist.all_reduce(total, group=group)
        return total[dist.get_rank(group)].clone()

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor, None]:
        return _Gathered.apply(grad.contiguous(), ctx.group), None


def gathered(own: Tensor, group: dist.ProcessGroup | None) -> Tensor:
    """A tensor of each process, all of one shape and dtype, as (processes, ...). Differentiable any
    number of times."""
    return _Gathered.apply(own.contiguous(), group)


def counted(*sizes: int, like: Tensor, group: dist.ProcessGroup | None) -> list[list[int]]:
    """Numbers of each process: a list for each number, by rank."""
    own = torch.tensor(sizes, dtype=torch.int64, device=like.device)
    parts = [torch.empty_like(own) for _ in range(dist.get_world_size(group))]
    dist.all_gather(parts, own, group=group)
    return torch.stack(parts, 1).tolist()


def carried(
    gate: Tensor,
    state: Tensor,
    start: Tensor | None,
    *,
    reverse: bool,
    group: dist.ProcessGroup | None,
) -> tuple[Tensor, Tensor]:
    """The states before this piece and after all of them, where a piece takes h to gate h + state.

    gate, state: of one shape and dtype, those of this piece; start: the state before the first
    piece, None for zero. reverse: the piece of the last rank is the first.
    """
    summaries = gathered(torch.stack((gate, state)), group)
    count, place = len(summaries), dist.get_rank(group)
    if reverse:
        summaries, place = summaries.flip(0), count - 1 - place
    states = [torch.zeros_like(state) if start is None else start.expand_as(state)]
    for one, other in summaries.unbind(0):
        states.append(one * states[-1] + other)
    # picked from all, so that each process has a gradient, if of zeros, for every summary
    every = torch.stack(states)
    return every[place], every[count]
