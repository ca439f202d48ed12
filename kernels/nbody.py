"""Particles that attract each other, all pairs of them.

    a_i = gravity sum_{j != i} m_j r_ij / (|r_ij|^2 + softening^2)^(3/2),        r_ij = x_j - x_i

A tile of rows meets the columns from its own on: r_ij = -r_ji, so that a pair behind the tile
serves both of its particles and half of the pairs are enough. Distances are kept as one plane a
coordinate, so that an inner loop runs along the columns. Sums may be cut anywhere (identity 0,
combine +): memory grows with the number of particles. A gradient of many computes each tile again.
In up to three dimensions C does all of it on CPUs, where the package was built with a compiler, and
a Triton kernel on GPUs (see `nbody_triton`).

Source: Nyland, Harris and Prins, "Fast N-Body Simulation with CUDA", GPU Gems 3 (2007), chapter 31.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.utils.checkpoint import checkpoint

from . import native
from .gradients import differentiable_gradients
from .nbody_triton import all_pairs
from .surroundings import transformed, unrecorded
from .triton_runtime import usable

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

FEW_PAIRS = 80 * 80
"""So few pairs take the formula less time on a CPU than calling an operator."""

FEW_PAIRS_IN_TILES = 192 * 192
"""As many where there is no operator, in more than three dimensions."""

FEW_PAIRS_ON_A_GPU = 9_000_000
"""As many on a GPU, in any number of dimensions. Read off an H200 (2026-11-27): 10^6 pairs take the
formula 0.26 ms against 0.38 by the operator, with gradients 1.2 against 1.3; 9 * 10^6 0.56 against
0.46 and 1.9 against 1.5; 4 * 10^8 20 against 1.0 and 62 against 2.9."""

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


def _at_once(
    x: Tensor, masses: Tensor, softening: float | Tensor, gravity: float | Tensor
) -> Tensor:
    """As `reference`, in as few operations as can be: where they are launched, each counts.
    x: (n, d)."""
    away = x[None] - x[:, None]
    square = (away * away).sum(-1) + softening * softening
    wanted = square.requires_grad or masses.requires_grad
    if (
        wanted and torch.is_grad_enabled()
    ):  # of what is filled with zeros below no gradient may be infinite
        square.fill_diagonal_(1.0)
    # a launch that is saved is worth more there than the root of a CPU
    cube = square.pow(1.5) if square.is_cuda else square * square.sqrt()
    weight = (masses / cube).fill_diagonal_(0.0)
    found = (weight[..., None] * away).sum(1)
    return found if isinstance(gravity, float) and gravity == 1.0 else gravity * found


def _few(count: int, axes: int, device: str, half: bool) -> bool:
    """Whether so few particles are that the formula takes less time than an operator."""
    if device != "cpu":
        return count**2 <= FEW_PAIRS_ON_A_GPU
    return not half and count**2 <= (FEW_PAIRS if axes <= 3 else FEW_PAIRS_IN_TILES)


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
    # a particle is at distance 0 from itself: any other distance will do, as it feels nothing
    square = square + torch.eye(*square.shape, dtype=x.dtype, device=x.device)
    weight = (square * square.sqrt()).reciprocal()
    pull, push = weight * masses[start:], (weight * masses[start:stop, None])[:, height:]
    pull = pull.fill_diagonal_(0)
    rows = torch.stack([(pull * plane).sum(1) for plane in away])
    behind = torch.stack([-(push * plane[:, height:]).sum(0) for plane in away])
    return rows, behind


def _by_tiles(x: Tensor, masses: Tensor, softening: Tensor) -> Tensor:
    """What the particles at x (d, n) feel, without gravity: (d, n)."""
    count = len(masses)
    height = max(1, PAIRS_A_TILE.get(x.device.type, 1 << 20) // count)
    found = torch.zeros_like(x)
    for start in range(0, count, height):
        stop = min(start + height, count)
        given = (x, masses, softening, start, stop)
        if torch.is_grad_enabled() and count * count > PAIRS_KEPT:
            rows, behind = checkpoint(_tile, *given, use_reentrant=False, preserve_rng_state=False)
        else:
            rows, behind = _tile(*given)
        found[:, start:stop] += rows
        found[:, stop:] += behind
    return found


# ------------------------------------------------------------------------- compiled and Triton path


def _computed(x: Tensor, masses: Tensor, softening: Tensor) -> Tensor:
    """As `_by_tiles`, in C or Triton: x (3, n), all float32 or all float64."""
    given = [each.resolve_neg().contiguous() for each in (x, masses, softening)]
    if usable(x):
        return all_pairs(*given)
    found = torch.empty_like(x, memory_format=torch.contiguous_format)
    native.nbody(*given, found)
    return found


_forward = torch.library.custom_op("auditor::nbody", _computed, mutates_args=())


@_forward.register_fake
def _forward_fake(x: Tensor, masses: Tensor, softening: Tensor) -> Tensor:
    return torch.empty_like(x, memory_format=torch.contiguous_format)


@torch.library.custom_op("auditor::nbody_backward", mutates_args=())
def _backward(
    g: Tensor, x: Tensor, masses: Tensor, softening: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    """Gradients of x, the masses and the softening."""
    given = [each.resolve_neg().contiguous() for each in (x, masses, softening, g)]
    if usable(x):
        found = all_pairs(*given)
    else:
        found = x.new_empty((5, len(masses)))
        native.nbody(*given[:3], found, given[3])
    return found[:3].clone(), found[3].clone(), found[4].sum()


@_backward.register_fake
def _backward_fake(
    g: Tensor, x: Tensor, masses: Tensor, softening: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    return _forward_fake(x, masses, softening), masses.new_empty(masses.shape), x.new_empty(())


def _setup_context(ctx: Any, inputs: tuple[Any, ...], output: Tensor) -> None:
    ctx.save_for_backward(*inputs)


def _differentiate(ctx: Any, g: Tensor) -> tuple[Tensor | None, ...]:
    operands = ctx.saved_tensors
    if torch.is_grad_enabled():
        # create_graph: the gradients must be differentiable themselves
        return tuple(differentiable_gradients(lambda *each: (_by_tiles(*each),), operands, (g,)))
    return _backward(g, *operands)


_forward.register_autograd(_differentiate, setup_context=_setup_context)


# ------------------------------------------------------------------------------ public function


def nbody(
    positions: Tensor | np.ndarray,
    masses: Tensor | np.ndarray,
    *,
    softening: float | Tensor = 0.0,
    gravity: float | Tensor = 1.0,
) -> Any:
    """The accelerations of particles that attract each other.

    positions: (n, d); masses: (n,). Floating dtypes; softening and gravity are numbers or tensors
    of one. Differentiable in all of them, any number of times. Two particles at the same place
    without softening give NaN, as the plain formula does. Arrays of NumPy are taken, and given.

    Returns:
        (n, d).

    Raises:
        What `reference` raises: whatever is not as above is handed to it.
    """
    if isinstance(positions, np.ndarray):
        return _of_arrays(positions, masses, softening=softening, gravity=gravity)
    options = {"softening": softening, "gravity": gravity}
    numbers = isinstance(softening, float) and isinstance(gravity, float)
    tensors = [] if numbers else [e for e in options.values() if isinstance(e, Tensor)]
    shape = positions.shape
    plain = (
        len(shape) == 2
        and masses.shape == shape[:1]
        and 0 not in shape
        and positions.is_floating_point()
        and masses.is_floating_point()
        and all(each.is_floating_point() and each.ndim == 0 for each in tensors)
        and all(each.device == positions.device for each in tensors)
        and masses.device == positions.device
        and not transformed()
    )
    if not plain:
        return reference(positions, masses, **options)
    dtype = torch.promote_types(positions.dtype, masses.dtype)
    wide = dtype if dtype in (torch.float32, torch.float64) else torch.float32
    if _few(*shape, "cpu" if positions.is_cpu else "cuda", half=dtype != wide):
        if positions.dtype == masses.dtype == wide:
            return _at_once(positions, masses, softening, gravity)
        if positions.is_cpu:
            return reference(positions, masses, **options)
        return _at_once(positions.to(wide), masses.to(wide), softening, gravity).to(dtype)
    # copies, as the backward pass reads them: the formula's reads less, which may be written to
    x, m = positions.to(wide).t(), masses.to(wide, copy=True)
    if isinstance(softening, Tensor):
        soft = softening.to(wide, copy=True)
    else:  # filled where it is: a copy from the host is nothing that a graph of CUDA may hold
        soft = x.new_full((), softening)
    axes = len(x)
    if axes <= 3 and (usable(x, m, soft) or native.takes(x, m, soft)):
        if axes == 3:
            planes = x.clone(memory_format=torch.contiguous_format)
        else:
            planes = torch.cat([x, x.new_zeros((3 - axes, len(m)))])
        pull = _computed if unrecorded(planes, m, soft) else _forward
        found = pull(planes, m, soft)[:axes]
    else:
        found = _by_tiles(x, m, soft)
    return (gravity * found.t().contiguous()).to(dtype)


def _of_arrays(positions: np.ndarray, masses: Any, **options: Any) -> np.ndarray:
    """`nbody` in the dtype that NumPy gives such sums."""
    dtype = np.result_type(positions, masses, *options.values())
    dtype = dtype if dtype.kind == "f" else np.result_type(dtype, np.float64)
    given = (torch.from_numpy(np.array(each, dtype=dtype)) for each in (positions, masses))
    numbers = {name: float(each) for name, each in options.items()}
    found: np.ndarray = nbody(*given, **numbers).numpy()
    return found
