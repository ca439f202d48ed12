"""Scans of a sequence that is cut over processes. A piece multiplies the state by the product of
its gates and adds the state that it ends with from zero:

    identity                               (1, 0)
    combine, first (a, b), then (c, d)     (c a, c b + d)
"""

from __future__ import annotations

import torch
from torch import Tensor
from torch.distributed import ProcessGroup

from ..linear_scan import linear_scan as local_linear_scan
from ..precision import accumulator
from ..selective_scan import result_dtypes
from ..selective_scan import selective_scan as local_selective_scan
from .exchange import carried


def linear_scan(
    a: Tensor | float,
    b: Tensor,
    initial_state: Tensor | float | None = None,
    *,
    dim: int,
    reverse: bool = False,
    output_final_state: bool = False,
    group: ProcessGroup | None = None,
) -> Tensor | tuple[Tensor, Tensor]:
    """h_t = a_t h_{t-1} + b_t along `dim`, which is cut over the processes of `group`.

    Args:
        a, b: the gates, or one number for all, and what is added, of this process's steps: floating
            dtypes, broadcast against each other; all axes but `dim` are alike in all processes.
        initial_state: the state before the first step of all, given alike in every process: a
            number or a tensor that broadcasts to the result's shape without `dim`; None is zero.
        dim: the axis of time, counted in the broadcast shape.
        reverse: from the last step of the last process to the first.
        output_final_state: return the state after the last step of all as well.
        group: None is the default group.

    The product of the gates of a piece has to be finite. Half types are computed in float32.
    Differentiable any number of times, also in the states. Each piece is scanned twice.

    Returns:
        h of this process's steps; or (h, final state), the latter alike in every process.
    """
    if not isinstance(a, Tensor):
        a = torch.full((), a, dtype=b.dtype, device=b.device)
    a, b = torch.broadcast_tensors(a, b)
    dtype = torch.promote_types(a.dtype, b.dtype)
    start = initial_state
    if start is not None:
        start = torch.as_tensor(start, device=b.device)
        dtype = torch.promote_types(dtype, start.dtype) if start.ndim else dtype
    wide = torch.promote_types(dtype, torch.float32)
    gates, drive = a.to(wide), b.to(wide)
    _, state = local_linear_scan(gates, drive, dim=dim, reverse=reverse, output_final_state=True)
    before, final = carried(
        gates.prod(dim),
        state,
        None if start is None else start.to(wide),
        reverse=reverse,
        group=group,
    )
    h = local_linear_scan(gates, drive, before, dim=dim, reverse=reverse).to(dtype)
    return (h, final.to(dtype)) if output_final_state else h


def selective_scan(
    x: Tensor,
    delta: Tensor,
    A: Tensor,
    B: Tensor,
    C: Tensor,
    initial_state: Tensor | None = None,
    *,
    output_final_state: bool = False,
    group: ProcessGroup | None = None,
) -> Tensor | tuple[Tensor, Tensor]:
    """h_t = exp(delta_t A) h_{t-1} + B_t x_t and y_t = C_t . h_t, on a sequence that is cut over
    the processes of `group`.

    Args:
        x, delta: (batch, length, channels), of this process's steps.
        A: (channels, states), alike in every process.
        B, C: (batch, length, states), or (batch, length, groups, states).
        initial_state: h before the first step of all, (batch, channels, states), alike in every
            process; None is zero.
        output_final_state: return h after the last step of all as well.
        group: None is the default group.

    Floating dtypes; half types are computed in float32. Differentiable any number of times. Each
    piece is scanned twice.

    Returns:
        y (batch, length, channels) of this process's steps; or (y, final state), the latter alike
        in every process.
    """
    given = (x, delta, A, B, C)
    wide = accumulator(*given, initial_state)
    dtypes = result_dtypes(*given, initial_state)
    rows = tuple(each.to(wide) for each in given)
    _, state = local_selective_scan(*rows, output_final_state=True)
    decay = torch.exp(rows[1].sum(1)[..., None] * rows[2])
    before, final = carried(
        decay,
        state,
        None if initial_state is None else initial_state.to(wide),
        reverse=False,
        group=group,
    )
    y = local_selective_scan(*rows, before).to(dtypes[0])
    return (y, final.to(dtypes[1])) if output_final_state else y
