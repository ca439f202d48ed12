"""All pairs of particles in Triton: what each of them feels, and the gradients of that.

A program owns a block of rows and a part of the columns, which it meets in tiles: coordinates are
loaded once a tile, sums stay in registers until the part ends, and those of the parts are added up
afterwards. Here all pairs are computed, not half of them: arithmetic is cheaper than the atomic
additions that would carry what a pair does to the column. `nbody` says what is computed.

Source: Nyland, Harris and Prins, "Fast N-Body Simulation with CUDA", GPU Gems 3 (2007), chapter 31.
"""

from __future__ import annotations

import torch
from torch import Tensor

from .triton_runtime import launches, tl, triton

ROWS = 8
"""Particles that a program owns."""

COLUMNS = 128
"""Particles that it meets at once."""

PROGRAMS = 1056
"""Programs to aim for when cutting the columns: eight for each processor of a large GPU."""


@triton.jit
def _pairs_kernel(  # type: ignore[no-untyped-def]
    x_ptr,
    mass_ptr,
    softening_ptr,
    g_ptr,
    out_ptr,
    count,
    part_length,
    GRADIENT: tl.constexpr,
    ACCUMULATOR: tl.constexpr,
    ROWS: tl.constexpr,
    COLUMNS: tl.constexpr,
):
    # x and g are (3, count), out is (parts, 3 or 5, count). Without GRADIENT
    #     out_i = sum_j m_j f(r),  f(r) = r / u^3,  u^2 = |r|^2 + softening^2,  r = x_j - x_i
    # and with it, J(r) = 1 / u^3 - 3 r r^T / u^5 being the derivative of the odd f:
    #     dx_i = sum_j J(r) (m_i g_j - m_j g_i)      dm_i = -sum_j f(r) . g_j
    #     dsoftening = -3 softening sum_ij m_j (r . g_i) / u^5
    part = tl.program_id(1)
    first = tl.program_id(0) * ROWS
    above = first + ROWS
    i = first + tl.arange(0, ROWS)
    rows = i < count
    x_i = tl.load(x_ptr + i, mask=rows, other=0.0)[:, None]
    y_i = tl.load(x_ptr + count + i, mask=rows, other=0.0)[:, None]
    z_i = tl.load(x_ptr + 2 * count + i, mask=rows, other=0.0)[:, None]
    softening = tl.load(softening_ptr)
    least = softening * softening
    a = tl.zeros((ROWS, COLUMNS), ACCUMULATOR)
    b = tl.zeros((ROWS, COLUMNS), ACCUMULATOR)
    c = tl.zeros((ROWS, COLUMNS), ACCUMULATOR)
    if GRADIENT:
        m_i = tl.load(mass_ptr + i, mask=rows, other=0.0)[:, None]
        ga_i = tl.load(g_ptr + i, mask=rows, other=0.0)[:, None]
        gb_i = tl.load(g_ptr + count + i, mask=rows, other=0.0)[:, None]
        gc_i = tl.load(g_ptr + 2 * count + i, mask=rows, other=0.0)[:, None]
        dm = tl.zeros((ROWS, COLUMNS), ACCUMULATOR)
        ds = tl.zeros((ROWS, COLUMNS), ACCUMULATOR)
    position = part * part_length
    stop = tl.minimum(position + part_length, count)
    while position < stop:
        j = position + tl.arange(0, COLUMNS)
        columns = j < stop
        dx = tl.load(x_ptr + j, mask=columns, other=0.0)[None, :] - x_i
        dy = tl.load(x_ptr + count + j, mask=columns, other=0.0)[None, :] - y_i
        dz = tl.load(x_ptr + 2 * count + j, mask=columns, other=0.0)[None, :] - z_i
        mass = tl.load(mass_ptr + j, mask=columns, other=0.0)[None, :]
        square = least + dx * dx + dy * dy + dz * dz
        if (position + COLUMNS > stop) | ((position < above) & (position + COLUMNS > first)):
            # a particle is at distance 0 from itself: any other distance will do, as it feels
            # nothing; nor is anything felt of what is behind the end, whose place may be taken
            square = tl.where((i[:, None] == j[None, :]) | (j[None, :] >= stop), 1.0, square)
        inverse = tl.rsqrt(square)
        cube = inverse * inverse * inverse
        if GRADIENT:
            ga = tl.load(g_ptr + j, mask=columns, other=0.0)[None, :]
            gb = tl.load(g_ptr + count + j, mask=columns, other=0.0)[None, :]
            gc = tl.load(g_ptr + 2 * count + j, mask=columns, other=0.0)[None, :]
            ha = m_i * ga - mass * ga_i
            hb = m_i * gb - mass * gb_i
            hc = m_i * gc - mass * gc_i
            fifth = cube * inverse * inverse
            along = 3.0 * fifth * (dx * ha + dy * hb + dz * hc)
            a += cube * ha - along * dx
            b += cube * hb - along * dy
            c += cube * hc - along * dz
            dm -= cube * (dx * ga + dy * gb + dz * gc)
            ds -= fifth * mass * (dx * ga_i + dy * gb_i + dz * gc_i)
        else:
            weight = mass * cube
            a += weight * dx
            b += weight * dy
            c += weight * dz
        position += COLUMNS
    OUTPUTS: tl.constexpr = 5 if GRADIENT else 3
    out = out_ptr + part.to(tl.int64) * OUTPUTS * count + i
    tl.store(out, tl.sum(a, 1), mask=rows)
    tl.store(out + count, tl.sum(b, 1), mask=rows)
    tl.store(out + 2 * count, tl.sum(c, 1), mask=rows)
    if GRADIENT:
        tl.store(out + 3 * count, tl.sum(dm, 1), mask=rows)
        tl.store(out + 4 * count, 3.0 * softening * tl.sum(ds, 1), mask=rows)


@launches
def all_pairs(
    x: Tensor, masses: Tensor, softening: Tensor, g: Tensor | None = None, *, parts: int = 0
) -> Tensor:
    """What the particles at x feel; with `g`, the gradient of that, the gradients instead.

    x, g: (3, n); masses: (n,); softening: of one element; all contiguous and of one dtype, float32
    or float64. `parts` is the number of cuts of the columns, 0 for as many as fill the GPU.

    Returns (3, n), or (5, n): the gradients of x, of the masses, and of the softening, in shares.
    """
    count = len(masses)
    blocks = -(-count // ROWS)
    parts = parts or max(1, min(PROGRAMS // blocks, -(-count // (4 * COLUMNS))))
    part_length = -(-count // (parts * COLUMNS)) * COLUMNS
    parts = -(-count // part_length)
    found = x.new_empty((parts, 3 if g is None else 5, count))
    _pairs_kernel[(blocks, parts)](
        x,
        masses,
        softening,
        x if g is None else g,
        found,
        count,
        part_length,
        GRADIENT=g is not None,
        ACCUMULATOR=tl.float64 if x.dtype == torch.float64 else tl.float32,
        ROWS=ROWS,
        COLUMNS=COLUMNS,
    )
    return found.sum(0) if parts > 1 else found[0]
