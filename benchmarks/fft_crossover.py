"""From how many elements on a convolution by transforms is faster than the direct one.

    python -m benchmarks.fft_crossover

Processor time of both ways on one thread of this CPU, the median of five runs each, for several
lengths and numbers of rows: torch's, which sets `SHORTEST_FILTER` of `kernels/fft_conv.py`, and
NumPy's of two operands of one length, which sets `FASTER` of `auditor/lagged/convolved.py`.
"""

from __future__ import annotations

import importlib
import statistics
import time
from collections.abc import Callable

import numpy as np
import torch

from auditor.lagged.convolved import fast_length

TAPS = (16, 32, 64, 128, 256, 512)
SIZES = ((1, 4096), (1, 65536), (64, 4096), (256, 1024))
LENGTHS = (128, 256, 512, 1024, 4096)
CALLS = 50


def processor_ms(run: Callable[[], object]) -> float:
    run()
    taken = []
    for _ in range(5):
        start = time.process_time()
        run()
        taken.append(time.process_time() - start)
    return statistics.median(taken) * 1e3


def by_transforms(x: np.ndarray, h: np.ndarray) -> np.ndarray:
    size = fast_length(len(x) + len(h) - 1)
    return np.fft.irfft(np.fft.rfft(x, size) * np.fft.rfft(h, size), size)


def of_numpy() -> None:
    print("NumPy, both of a length: direct ms, transforms ms")
    rng = np.random.default_rng(0)
    for length in LENGTHS:
        x, h = rng.random(length), rng.random(length)
        one, two = (
            processor_ms(lambda way=way, x=x, h=h: [way(x, h) for _ in range(CALLS)]) / CALLS
            for way in (np.convolve, by_transforms)
        )
        print(f"{length}: {one:.3f}, {two:.3f}", flush=True)


def main() -> None:
    of_numpy()
    ways = importlib.import_module("auditor.kernels.fft_conv")
    torch.set_num_threads(1)
    torch.manual_seed(0)
    print("rows x length, taps: direct ms, transforms ms")
    for dtype in (torch.float32, torch.float64):
        for rows, length in SIZES:
            x = torch.randn(rows, length, dtype=dtype)
            for taps in TAPS:
                h = torch.randn(taps, dtype=dtype)
                one, two = (
                    processor_ms(lambda way=way, h=h, x=x: way(x, h, "causal", x.shape[-1]))
                    for way in (ways._direct, ways._by_transforms)
                )
                print(f"{dtype} {rows} x {length}, {taps}: {one:.2f}, {two:.2f}", flush=True)
                if one > 100:
                    break


if __name__ == "__main__":
    main()
