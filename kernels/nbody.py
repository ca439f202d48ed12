"""Particles that attract each other, all pairs of them.

    a_i = gravity sum_{j != i} m_j r_ij / (|r_ij|^2 + softening^2)^(3/2),        r_ij = x_j - x_i

A tile of rows meets the columns from its own on: r_ij = -r_ji, so that a pair behind the tile
serves both of its particles and half of the pairs are enough. Distances are kept as one plane a
coordinate, so that an inner loop runs along the columns. Sums may be cut anywhere (identity 0,
combine +): memory grows with the number of particles. A gradient of many computes each tile again.

Source: Nyland, Harris and Prins, "Fast N-Body Simulation with CUDA", GPU Gems 3 (2007), chapter 31.
"""

from __future__ import annotations

import torch
from torch import Tensor
from torch.utils.checkpoint import checkpoint

from .surroundings import transformed

TOLERANCE: dict[torch.dtype, tuple[float, float]] = {
    torch.float64: (1e-11, 1e-10),
    torch.float32: (1e-4, 1e-3),
    torch.float16: (2e-3, 2e-2),
    torch.bfloat16: (1.6e-2, 1.6e-1),
}
"""Largest error against float64 relative to max|reference|: (outputs, gradients).

Close pairs dominate, and their distance cancels most digits of the positions. Half types are
computed in float32 and rounded once at the end.
"""

PAIRS_A_TILE = {"cpu": 1 << 16, "cuda": 1 << 24}
"""Pairs computed at once: their planes should stay in a cache."""

PAIRS_KEPT = 1 << 20
"""So many pairs are kept for a gradient, a few tens of megabytes; more are computed again."""


def reference(
    positions: Tensor,
    masses: Tensor,
    *,
    softening: float | Tensor = 0.0,
    gravity: float | Tensor = 1.0,
) -> Tensor:
    """What `nbody` computes, with all pairs in memory."""
    away = positions[None] - positions[:, None]
    others = ~torch.eye(len(positions), dtype=torch.bool, device=positions.device)
    square = (away * away).sum(-1) + softening * softening
    square = torch.where(others, square, 1.0)
    weight = torch.where(others, masses / (square * square.sqrt()), 0.0)
    return gravity * (weight[..., None] * away).sum(1)


def _tile(
    x: Tensor, masses: Tensor, softening: Tensor, start: int, stop: int
) -> tuple[Tensor, Tensor]:
    """What the particles from `start` to `stop` feel from those from `start` on, and those behind
    the tile from it. x: (d, n). Returns (d, stop - start) and (d, n - stop)."""
    height = stop - start
    away = [each[None, start:] - each[start:stop, None] for each in x]
    square = softening * softening + torch.zeros_like(away[0])
    for plane in away:
        square = square + plane * plane
    # a particle is at distance 0 from itself, and feels nothing: any other distance will do
    square = square + torch.eye(*square.shape, dtype=x.dtype, device=x.device)
    weight = (square * square.sqrt()).reciprocal()
    pull, push = weight * masses[start:], (weight * masses[start:stop, None])[:, height:]
    rows = torch.stack([(pull * plane).sum(1) for plane in away])
    behind = torch.stack([-(push * plane[:, height:]).sum(0) for plane in away])
    return rows, behind


def nbody(
    positions: Tensor,
    masses: Tensor,
    *,
    softening: float | Tensor = 0.0,
    gravity: float | Tensor = 1.0,
) -> Tensor:
    """The accelerations of particles that attract each other.

    positions: (n, d); masses: (n,). Floating dtypes; softening and gravity are numbers or tensors
    of one. Differentiable in all of them, any number of times. Two particles at the same place
    without softening give NaN, as the plain formula does.

    Returns:
        (n, d).

    Raises:
        What `reference` raises: whatever is not as above is handed to it.
    """
    options = {"softening": softening, "gravity": gravity}
    tensors = [each for each in options.values() if isinstance(each, Tensor)]
    plain = (
        positions.ndim == 2
        and masses.shape == positions.shape[:1]
        and 0 not in positions.shape
        and all(each.is_floating_point() for each in (positions, masses, *tensors))
        and all(each.ndim == 0 and each.device == positions.device for each in tensors)
        and masses.device == positions.device
        and not transformed()
    )
    if not plain:
        return reference(positions, masses, **options)
    dtype = torch.result_type(positions, masses)
    wide = dtype if dtype in (torch.float32, torch.float64) else torch.float32
    x, m = positions.to(wide).t(), masses.to(wide)
    soft = torch.as_tensor(softening, dtype=wide, device=positions.device)
    count = len(positions)
    height = max(1, PAIRS_A_TILE.get(positions.device.type, 1 << 20) // count)
    found = torch.zeros_like(x)
    for start in range(0, count, height):
        stop = min(start + height, count)
        given = (x, m, soft, start, stop)
        if torch.is_grad_enabled() and count * count > PAIRS_KEPT:
            rows, behind = checkpoint(_tile, *given, use_reentrant=False, preserve_rng_state=False)
        else:
            rows, behind = _tile(*given)
        found[:, start:stop] += rows
        found[:, stop:] += behind
    return (gravity * found.t().contiguous()).to(dtype)
