"""How the cost of `barnes_hut` grows with the number of particles, beside n log n and n^2.

    python -m benchmarks.barnes_hut [--largest 1000000] [--seconds 120] [--threads 1] [--order 2]

Particles of a ball, float32, from a fixed seed. For each number: seconds of computing, pairs that
are met (particles with particles or boxes), both over n log2 n, and the error against the sum over
all pairs for 200 of the particles, in float64. Numbers double until the next one would take longer
than the time that is left.
"""

from __future__ import annotations

import argparse
import importlib
import math
import time
from typing import Any

import torch
from torch import Tensor

bodies = importlib.import_module("auditor.kernels.barnes_hut")


def exact(x: Tensor, m: Tensor, some: Tensor, softening: float) -> Tensor:
    """The sums over all pairs for some of the particles."""
    x, m = x.double(), m.double()
    found = []
    for place in some.tolist():
        away = x - x[place]
        square = (away * away).sum(1) + softening**2
        weight = m / (square * square.sqrt())
        weight[place] = 0.0
        found.append(weight @ away)
    return torch.stack(found)


def measure(count: int, order: int) -> tuple[float, int, float]:
    """Seconds of computing, pairs met, and the error at some of the particles."""
    draw = torch.Generator().manual_seed(0)
    x = torch.randn(count, 3, generator=draw)
    x = x / x.norm(dim=1, keepdim=True) * torch.rand(count, 1, generator=draw) ** (1 / 3)
    m = torch.rand(count, generator=draw)
    softening = 0.1 * count ** (-1 / 3)
    met = 0
    plain = bodies.interactions

    def counted(tree: Any, some: Any, *rest: Any) -> Any:
        nonlocal met
        lists = plain(tree, some, *rest)
        met += sum(int((some.count * each.count).sum()) for each in lists)
        return lists

    bodies.interactions = counted
    try:
        start = time.process_time()
        with torch.no_grad():
            found = bodies.barnes_hut(x, m, softening=softening, order=order)
        seconds = time.process_time() - start
    finally:
        bodies.interactions = plain
    some = torch.randperm(count, generator=draw)[:200]
    expected = exact(x, m, some, softening)
    error = (found[some].double() - expected).norm() / expected.norm()
    return seconds, met, error.item()


def main() -> None:
    """Print a table, one line a number of particles."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--largest", type=int, default=1_000_000)
    parser.add_argument("--seconds", type=float, default=120)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--order", type=int, default=2, choices=(0, 1, 2))
    given = parser.parse_args()
    torch.set_num_threads(given.threads)
    names = ("n", "seconds", "pairs", "us/n log n", "pairs/n log n", "error")
    print("  ".join(f"{name:>13}" for name in names))
    count, left = 4096, given.seconds
    while count <= given.largest:
        seconds, met, error = measure(count, given.order)
        scale = count * math.log2(count)
        row = (count, f"{seconds:.2f}", met, f"{1e6 * seconds / scale:.3f}", f"{met / scale:.1f}")
        print("  ".join(f"{each:>13}" for each in (*row, f"{error:.1e}")), flush=True)
        left -= seconds
        following = min(2 * count, given.largest)
        if following == count or 2.5 * seconds > left:
            break
        count = following


if __name__ == "__main__":
    main()
