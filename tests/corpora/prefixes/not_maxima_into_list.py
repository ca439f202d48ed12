# refuse: the maxima are kept in a list, whose items are tensors of their own
import torch


def maxima(x: torch.Tensor):
    out = [None] * x.shape[0]
    high = torch.full_like(x[0], -1e9)
    for t in range(x.shape[0]):
        high = torch.maximum(high, x[t])
        out[t] = high
    return out


def cases(rng):
    yield "maxima", (torch.rand(5, 3),), {}
    yield "maxima", (torch.rand(1, 2),), {}
