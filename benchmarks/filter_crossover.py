"""From how many elements on two passes of a separable filter are faster than one.

    python -m benchmarks.filter_crossover

Processor time on one thread of this CPU, the median of five runs each. `SMALLEST` of
`kernels/separable_conv2d.py` is set by it.
"""

from __future__ import annotations

import importlib

import torch

from benchmarks.fft_crossover import processor_ms

SIZES = ((1, 1, 512), (4, 3, 256), (8, 32, 64))
FILTERS = (3, 5, 7, 9, 11, 15, 21, 31)


def main() -> None:
    kernel = importlib.import_module("auditor.kernels.separable_conv2d")
    torch.set_num_threads(1)
    torch.manual_seed(0)
    kernel.SMALLEST, kernel.SMALLEST_IMAGE = {True: 0, False: 0}, 0
    print("batch, channels, side, filter: one pass ms, two passes ms")
    for batch, channels, side in SIZES:
        x = torch.randn(batch, channels, side, side)
        for size in FILTERS:
            g = torch.randn(size)
            one, two = (
                processor_ms(lambda way=way, x=x, g=g: way(x, g, g, padding=len(g) // 2))
                for way in (kernel.reference, kernel.separable_conv2d)
            )
            print(f"{batch}, {channels}, {side}, {size}: {one:.1f}, {two:.1f}", flush=True)


if __name__ == "__main__":
    main()
