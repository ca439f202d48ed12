"""Attention of queries that are cut over processes, as the keys are.

Keys and values are gathered, and each process attends from its own queries, with the fused kernel:
what travels is 2 L D numbers, and no weights are kept. (Rings of processes that pass keys on need
no memory for all of them, but for the backward pass they keep or fetch them just the same.)
"""

from __future__ import annotations

from itertools import accumulate

import torch
import torch.distributed as dist
import torch.nn.functional as F
from torch import Tensor
from torch.distributed import ProcessGroup

from ..flash_attention import flash_attention as local_attention
from .exchange import counted, gathered


def flash_attention(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    *,
    attn_mask: Tensor | None = None,
    is_causal: bool = False,
    scale: float | None = None,
    enable_gqa: bool = False,
    group: ProcessGroup | None = None,
) -> Tensor:
    """softmax(scale q k^T + mask) v, with queries and keys cut over the processes of `group`.

    Args:
        q: (..., Lq, D), k: (..., Lk, D), v: (..., Lk, Dv): those of this process. k and v have one
            dtype; their axes but Lk are alike in all processes.
        attn_mask: broadcasts to (..., Lq, keys of all processes): boolean, True keeps; else it is
            added. Not together with `is_causal`.
        is_causal: a query sees the keys up to its own place, both counted over all processes.
        scale: None is 1 / sqrt(D).
        enable_gqa: axis -3 of q has a multiple of the heads of k and v, neighbours share them.
        group: None is the default group.

    Differentiable in q, k and v, any number of times.

    Returns:
        (..., Lq, Dv) of this process's queries, in the dtype of v.

    Raises:
        ValueError: a mask together with `is_causal`.
    """
    if is_causal and attn_mask is not None:
        raise ValueError("a mask and is_causal: put the order into the mask")
    queries, keys = counted(q.shape[-2], k.shape[-2], like=q, group=group)
    lengthened = F.pad(torch.cat((k, v), -1), (0, 0, 0, max(keys) - k.shape[-2]))
    pieces = gathered(lengthened, group).unbind(0)
    every = torch.cat([piece[..., :n, :] for piece, n in zip(pieces, keys, strict=True)], -2)
    if is_causal:
        first = [0, *accumulate(queries)][dist.get_rank(group)]
        last = min(first + q.shape[-2], every.shape[-2])
        every = every[..., :last, :]
        attn_mask = torch.ones(q.shape[-2], last, dtype=torch.bool, device=q.device).tril(first)
    k, v = every.split((k.shape[-1], v.shape[-1]), -1)
    return local_attention(q, k, v, attn_mask=attn_mask, scale=scale, enable_gqa=enable_gqa)
