"""A two-dimensional filter that is the product of a vertical and a horizontal one, as two passes.

    y[i, j] = sum_{u, v} a[u] b[v] x[i + u, j + v] = sum_u a[u] (sum_v b[v] x[i + u, j + v])

A filter of p times q elements costs p + q multiplications an element instead of p q. Every channel
is filtered alike. Zeros around x stay zeros under a pass along the other axis, so padding, strides
and dilations of one axis belong to the pass along it. Both passes are convolutions of torch, so are
the derivatives, of any order; small filters are multiplied out, since one pass is then faster.

Source: Gonzalez and Woods, "Digital Image Processing" (4th ed. 2018), section 3.4.
"""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor

TOLERANCE: dict[torch.dtype, tuple[float, float]] = {
    torch.float64: (1e-13, 1e-12),
    torch.float32: (1e-5, 1e-4),
    torch.float16: (4e-3, 8e-3),
    torch.bfloat16: (3.2e-2, 6.4e-2),
}
"""Largest error against float64 relative to max|reference|: (outputs, gradients).

The sums change their order; half types round once more between the passes.
"""

SMALLEST = {True: 21, False: 11}
"""Elements of both filters from which two passes run, for one channel and for several. On one core
of a CPU with float32 (`python -m benchmarks.filter_crossover`): (1, 1, 512, 512) takes 48 ms in one
pass of 21 x 21 and 37 in two, 26 and 40 at 15; (4, 3, 256, 256) takes 54 and 47 at 11, 38 and 49 at
9; from 15 on the single pass of several channels is five times as slow and more."""

SMALLEST_IMAGE = 64 * 64
"""Entries of a channel, of several, from which two passes run: a third of the time is lost at
32 x 32, whatever the filter."""

FEW_PRODUCTS = 1 << 27
"""Up to so many multiplications one pass takes less time on a GPU than the call of another. Read
off an H200 (2026-11-27): 6.5 * 10^7 take 0.069 ms against 0.066 in two passes, with gradients 0.30
against 0.33; 2.7 * 10^8 0.16 against 0.085 and 0.83 against 0.57."""

Pair = int | tuple[int, int]


def reference(
    x: Tensor,
    vertical: Tensor,
    horizontal: Tensor,
    *,
    stride: Pair = 1,
    padding: Pair = 0,
    dilation: Pair = 1,
) -> Tensor:
    """What `separable_conv2d` computes, with the filter multiplied out."""
    channels = x.shape[-3]
    weight = torch.outer(vertical, horizontal).expand(channels, 1, -1, -1)
    return F.conv2d(
        x, weight, stride=stride, padding=padding, dilation=dilation, groups=channels
    )  # fmt: skip


def _pair(given: Pair) -> tuple[int, int]:
    return (given, given) if isinstance(given, int) else (given[0], given[1])


def _short(x: Tensor, vertical: Tensor, horizontal: Tensor) -> bool:
    """Whether one pass is faster, as the sizes of the operands tell before all else."""
    p, q = vertical.shape[0], horizontal.shape[0]
    if min(p, q) < SMALLEST[bool(x.shape[-3] == 1)]:
        return True
    return not x.is_cpu and x.numel() * p * q <= FEW_PRODUCTS


def _small(
    channels: int, height: int, width: int, p: int, q: int, outputs: int, device: str
) -> bool:
    """Whether one pass of p x q over so many channels of height x width is faster than two."""
    if channels > 1 and height * width < SMALLEST_IMAGE:
        return True
    if min(p, q) < SMALLEST[bool(channels == 1)]:
        return True
    return device != "cpu" and outputs * p * q <= FEW_PRODUCTS


def separable_conv2d(
    x: Tensor,
    vertical: Tensor,
    horizontal: Tensor,
    *,
    stride: Pair = 1,
    padding: Pair = 0,
    dilation: Pair = 1,
) -> Tensor:
    """Every channel of `x` filtered by the outer product of two filters, as `F.conv2d` would.

    Args:
        x: (batch, channels, height, width) or (channels, height, width).
        vertical: (p,), along the height. horizontal: (q,), along the width. Of x's dtype.
        stride, padding, dilation: a number or one for each axis; padding is with zeros.

    Differentiable in all three, any number of times.

    Returns:
        What `F.conv2d` with the outer product and a group for each channel returns.

    Raises:
        What `reference` raises: operands that do not fit are handed to it.
    """
    options = {"stride": stride, "padding": padding, "dilation": dilation}
    if x.ndim > 2 and vertical.ndim == horizontal.ndim == 1 and _short(x, vertical, horizontal):
        return reference(x, vertical, horizontal, **options)
    fits = (
        x.ndim in (3, 4)
        and vertical.ndim == horizontal.ndim == 1
        and x.is_floating_point()
        and x.dtype == vertical.dtype == horizontal.dtype
        and all(isinstance(each, int) or len(each) == 2 for each in options.values())
    )
    if not fits:
        return reference(x, vertical, horizontal, **options)
    (up, across), (above, beside), (apart, along) = map(_pair, (stride, padding, dilation))
    channels, p, q = x.shape[-3], len(vertical), len(horizontal)
    rows = x.shape[-2] + 2 * above - apart * (p - 1)
    columns = x.shape[-1] + 2 * beside - along * (q - 1)
    if min(rows, columns) < 1 or channels < 1:
        return reference(x, vertical, horizontal, **options)
    outputs = x.shape[:-2].numel() * rows * columns // max(1, up * across)
    if _small(*x.shape[-3:], p, q, outputs, x.device.type):
        return reference(x, vertical, horizontal, **options)
    first = vertical[:, None].expand(channels, 1, p, 1)
    second = horizontal.expand(channels, 1, 1, q)
    between = F.conv2d(x, first, stride=(up, 1), padding=(above, 0), dilation=(apart, 1),
                       groups=channels)  # fmt: skip
    return F.conv2d(between, second, stride=(1, across), padding=(0, beside), dilation=(1, along),
                    groups=channels)  # fmt: skip
