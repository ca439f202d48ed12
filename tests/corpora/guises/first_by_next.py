# expect: ASC106 safe scope=smallest
# expect: ASC101 safe scope=smooth
# expect: ASC106 safe scope=pool
"""The first element taken from an iterator, and a loop over the rest."""

from __future__ import annotations

import torch


def smallest(xs: list[float]):
    it = iter(xs)
    low = next(it)
    for x in it:
        low = x if x < low else low
    return low


def smooth(x: torch.Tensor, rate: float):
    rows = iter(x)
    mean = next(rows)
    kept = [mean]
    for row in rows:
        mean = mean + rate * (row - mean)
        kept.append(mean)
    return torch.stack(kept)


def pool(x: torch.Tensor):
    rows = iter(x)
    top = next(rows)
    for row in rows:
        top = torch.maximum(top, row)
    return top


def cases(rng):
    for length in (1, 2, 7):
        x = torch.from_numpy(rng.standard_normal((length, 3))).requires_grad_()
        yield "smallest", (rng.standard_normal(length).tolist(),), {}
        yield "smooth", (x, 0.3), {}
        yield "pool", (x,), {}
