"""Softmax and logsumexp of rows that are cut over processes. The summary of a piece is its largest
entry and the sum of exponentials from there:

    identity                               (-inf, 0)
    combine, first (m1, s1), then (m2, s2)   m = max(m1, m2)
                                           s = s1 exp(m1 - m) + s2 exp(m2 - m)

The largest entries are shifts, which cancel, also from the gradients: they are told, and have none.
"""

from __future__ import annotations

import torch
from torch import Tensor
from torch.distributed import ProcessGroup

from ..precision import accumulator
from .exchange import gathered


def _state(x: Tensor, dim: int, group: ProcessGroup | None) -> tuple[Tensor, Tensor]:
    """(m, s) of the whole rows, with `dim` of extent 1."""
    with torch.no_grad():
        own = x.amax(dim, keepdim=True) if x.shape[dim] else _nothing(x, dim)
    # exp(-inf - -inf) is NaN: a piece of nothing but -inf adds nothing, whatever it is shifted by
    weights = torch.exp(x - own.masked_fill(own == -torch.inf, 0))
    shifts, sums = gathered(torch.stack((own, weights.sum(dim, keepdim=True))), group).unbind(1)
    shifts = shifts.detach()
    m = shifts.amax(0)
    return m, (sums * torch.exp(shifts - m.masked_fill(m == -torch.inf, 0))).sum(0)


def _nothing(x: Tensor, dim: int) -> Tensor:
    """The largest of no entries."""
    return x.sum(dim, keepdim=True) - torch.inf


def online_softmax(x: Tensor, dim: int, *, group: ProcessGroup | None = None) -> Tensor:
    """exp(x - max) / sum(exp(x - max)) along `dim`, which is cut over the processes of `group`.

    Args:
        x: this process's entries, floating; all axes but `dim` are alike in all processes.
        dim: the axis.
        group: None is the default group.

    Special rows give what `auditor.kernels.online_softmax` gives. Half types are computed in
    float32. Differentiable any number of times.

    Returns:
        The weights of this process's entries, shaped as x.
    """
    wide = x.to(accumulator(x))
    m, s = _state(wide, dim, group)
    return (torch.exp(wide - m) / s).to(x.dtype)


def logsumexp(
    x: Tensor, dim: int, keepdim: bool = False, *, group: ProcessGroup | None = None
) -> Tensor:
    """log(sum(exp(x))) along `dim`, which is cut over the processes of `group`.

    Args:
        x: this process's entries, floating; all axes but `dim` are alike in all processes.
        dim: the axis.
        keepdim: keep the axis, with extent 1.
        group: None is the default group.

    Half types are computed in float32. Differentiable any number of times.

    Returns:
        x without `dim`, alike in every process.
    """
    wide = x.to(accumulator(x))
    m, s = _state(wide, dim, group)
    result = torch.where(m.isinf(), m, s.log() + m)
    return (result if keepdim else result.squeeze(dim)).to(x.dtype)
