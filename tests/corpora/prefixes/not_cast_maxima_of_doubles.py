# refuse: every maximum is rounded to single precision
import torch


def maxima(x: torch.Tensor):
    x = x.double()
    high = torch.zeros(x.shape[1])
    out = []
    for t in range(x.shape[0]):
        high = torch.maximum(high, x[t]).float()
        out.append(high)
    return torch.stack(out)


def cases(rng):
    yield "maxima", (torch.randn(9, 3),), {}
    yield "maxima", (torch.randn(1, 2),), {}
