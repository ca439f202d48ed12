"""Long convolutions along the last axis, by Fourier transforms where those are faster.

    causal:    y[t] = sum_{k <= t} h[k] x[t - k]            t = 0 .. n - 1
    full:      the same sum                                 t = 0 .. n + m - 2
    circular:  y[t] = sum_k h[k] x[(t - k) mod n]           t = 0 .. n - 1, m = n

A circular convolution is diagonal in the Fourier basis, y = F^-1 (F h * F x): n log n operations
where the sum takes n m. The others are circular ones of at least n + m - 1 places, with zeros
behind both operands; the length taken is the next product of 2, 3, 5 and 7, for which transforms
are fast. Transforms and products are operations of torch, so are the derivatives, of any order.

The error of a transform is relative to the norms of the operands, about eps log2(N) |h| |x| at each
place, and not to the terms of the place's own sum: what is small beside the largest outputs keeps
fewer digits than a sum of its own would give it. The sum itself runs (torch's direct convolution,
or the reference) where it is short, where a result is infinite or NaN, which a transform spreads
over the row, and on integers, which it would round.

Source: Cooley and Tukey, "An Algorithm for the Machine Calculation of Complex Fourier Series"
(1965); Stockham, "High-Speed Convolution and Correlation" (1966).
"""

from __future__ import annotations

import math
from contextlib import nullcontext
from functools import lru_cache
from typing import Literal

import torch
import torch.nn.functional as F
from torch import Tensor

from .precision import accumulator
from .shapes import broadcast
from .surroundings import autocasting, transformed, unseen

TOLERANCE: dict[torch.dtype, tuple[float, float]] = {
    torch.float64: (1e-13, 1e-12),
    torch.float32: (1e-5, 1e-4),
    torch.float16: (2e-3, 4e-3),
    torch.bfloat16: (1.6e-2, 3.2e-2),
}
"""Largest error against float64 relative to max|reference|: (outputs, gradients).

Half types are computed in float32 and rounded once. The others lose log2(N) roundings, relative to
the norms of the operands, which for random ones are of the order of the largest output.
"""

Mode = Literal["causal", "full", "circular"]

SHORTEST_FILTER = 64
"""Taps of the shorter operand from which transforms run. On one core of a CPU (the table that
`python -m benchmarks.fft_crossover` prints), they are as fast as torch's direct convolution from 16
to 100 taps on, sooner with many rows, and ten times as fast from 256."""

FEW_PRODUCTS = 1 << 26
"""Up to so many multiplications with a filter that all rows share the direct convolution takes less
time on a GPU than the calls of transforms. Read off an H200 (2026-11-27): 1.7 * 10^7 take 0.16 ms
against 0.21, with gradients 0.79 against 1.2; 1.3 * 10^8 0.90 against 0.36 and 2.8 against 1.3; 4.3
* 10^9 23 against 1.2 and 64 against 2.4."""

FEW_TAPS = 6
"""Up to here adding up the taps is faster on a CPU than torch's direct convolution of several
rows; of one row that takes a fifth of the time."""

ONE_ROW = 2
"""So many times as long it has to be for one row, which the direct convolution reads once for all
taps."""


def reference(x: Tensor, h: Tensor, *, mode: Mode = "causal") -> Tensor:
    """What `fft_conv` computes, one tap after the other."""
    if mode not in ("causal", "full", "circular"):
        raise ValueError(f'mode must be "causal", "full" or "circular", not {mode!r}')
    n, m = x.shape[-1], h.shape[-1]
    if mode == "circular" and n != m:
        raise ValueError(f"a circular convolution needs operands of one length, not {n} and {m}")
    if mode == "full" and min(n, m) == 0:
        raise ValueError("a full convolution needs operands that are not empty")
    length = n + m - 1 if mode == "full" else n
    lead = broadcast(x.shape[:-1], h.shape[:-1])
    out = x.new_zeros(*lead, length, dtype=torch.result_type(x, h))
    for k in range(m):
        tap = h[..., k : k + 1]
        if mode == "circular":
            out = out + tap * x.roll(k, -1)
        elif k < length:
            kept = x[..., : length - k]
            out = out + F.pad(tap * kept, (k, length - k - kept.shape[-1]))
    return out


@lru_cache(maxsize=256)
def fast_length(least: int) -> int:
    """The smallest product of powers of 2, 3, 5 and 7 that is no less than `least`."""
    best = 1 << max(least - 1, 0).bit_length()
    sevens = 1
    while sevens < best:
        fives = sevens
        while fives < best:
            threes = fives
            while threes < best:
                twos = threes << max(-(-least // threes) - 1, 0).bit_length()
                best = min(best, twos)
                threes *= 3
            fives *= 5
        sevens *= 7
    return best


def _by_transforms(x: Tensor, h: Tensor, mode: Mode, length: int) -> Tensor:
    size = length if mode == "circular" else fast_length(x.shape[-1] + h.shape[-1] - 1)
    spectrum = torch.fft.rfft(x, size) * torch.fft.rfft(h, size)
    return torch.fft.irfft(spectrum, size)[..., :length]


def _direct(x: Tensor, h: Tensor, mode: Mode, length: int, lead: torch.Size) -> Tensor:
    """torch's own convolution; a filter for each row is a group of channels. It keeps both operands
    for its backward pass, which the sum need not: so they are copies."""
    m, turned = h.shape[-1], h.flip(-1)
    if mode == "circular":
        x = torch.cat([x[..., 1:], x], -1)
    elif torch.is_grad_enabled() and (x.requires_grad or h.requires_grad or transformed()):
        x = x.clone()  # what vmap hands on does not say that a gradient is wanted
    if x.shape[:-1] != lead:
        x = x.expand(*lead, x.shape[-1])
    if h.numel() == m:
        rows, taps = x.reshape(-1, 1, x.shape[-1]), turned.reshape(1, 1, m)
    else:
        taps = turned.expand(*lead, m).reshape(-1, 1, m)
        rows = x.reshape(1, -1, x.shape[-1])
    padding = 0 if mode == "circular" else m - 1
    with torch.autocast(x.device.type, enabled=False) if autocasting(x) else nullcontext():
        out = F.conv1d(rows, taps, padding=padding, groups=rows.shape[1])
    if out.shape[-1] != length:
        out = out[..., :length]
    return out.reshape(*lead, length)


def _short(rows: int, n: int, m: int, shared: bool, device: str) -> bool:
    """Whether the direct convolution of rows of n with one filter of m, or one each, is faster."""
    if min(n, m) < SHORTEST_FILTER * (1 if rows > 1 else ONE_ROW):
        return True
    return device != "cpu" and shared and rows * n * m <= FEW_PRODUCTS


def fft_conv(x: Tensor, h: Tensor, *, mode: Mode = "causal") -> Tensor:
    """The convolution of the rows of `x` with those of `h`, by the faster of two ways.

    Args:
        x: (..., n). h: (..., m). The leading axes broadcast.
        mode: "causal" is the first n outputs, "full" all n + m - 1 of them, "circular" takes
            places modulo n, where both have n.

    Floating dtypes; half types are computed in float32. Other dtypes run the reference, so that
    integers stay exact. Differentiable in both, any number of times.

    Returns:
        (..., n) or (..., n + m - 1), in the dtype that both have together.

    Raises:
        What `reference` raises: operands that do not fit, in full mode also empty ones.
    """
    floating = x.is_floating_point() and h.is_floating_point()
    if not (floating and x.ndim and h.ndim and x.numel() and h.numel() and x.device == h.device):
        return reference(x, h, mode=mode)
    n, m = x.shape[-1], h.shape[-1]
    if mode not in ("causal", "full", "circular") or (mode == "circular" and n != m):
        return reference(x, h, mode=mode)
    lead = broadcast(x.shape[:-1], h.shape[:-1])
    rows, wide = math.prod(lead), accumulator(x, h)
    if m <= FEW_TAPS and rows > 1 and x.is_cpu and x.dtype == h.dtype == wide:
        return reference(x, h, mode=mode)
    length = n + m - 1 if mode == "full" else n
    dtype = torch.promote_types(x.dtype, h.dtype)
    one, two = x.to(wide), (h if m <= length else h[..., :length]).to(wide)
    hidden = unseen(x, h)
    if hidden or _short(rows, n, min(m, length), m == h.numel(), "cpu" if x.is_cpu else "cuda"):
        out = _direct(one, two, mode, length, lead)
    else:
        out = _by_transforms(one, two, mode, length)
    if not hidden and not math.isfinite(out.detach().sum().item()):
        return reference(x, h, mode=mode)
    return out.to(dtype).contiguous()
