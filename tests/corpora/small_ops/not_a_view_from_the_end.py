# refuse: LOC306 a tensor from its end is a copy, into which nothing can be written
import torch


def scaled(x: torch.Tensor):
    (w,) = x.shape
    out = torch.zeros_like(x)
    for j in range(w):
        out[w - 1 - j] = 2 * x[j] + 1
    return out


def cases(rng):
    for n in (5, 1):
        yield "scaled", (torch.randn(n),), {}
