# expect: ASC101 safe scope=gated
"""Elementwise code around a scan keeps the strides of what it reads, a stack does not."""

import torch


def gated(x: torch.Tensor, a: float):
    h = torch.zeros_like(x[0])
    out = []
    for v in x:
        h = a * h + v
        out.append(v * h)
    return torch.stack(out).view(-1)


def cases(rng):
    for shape in ((2, 3, 4), (1, 2, 3), (3, 1, 1)):
        x = torch.tensor(rng.standard_normal(shape), dtype=torch.float32)
        yield "gated", (x.transpose(1, 2), 0.5), {}
