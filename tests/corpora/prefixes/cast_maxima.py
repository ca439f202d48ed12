# expect: ASC105 safe scope=maxima
import torch


def maxima(x: torch.Tensor):
    high = torch.zeros(x.shape[1])
    out = []
    for t in range(x.shape[0]):
        high = torch.maximum(high, x[t]).float()
        out.append(high)
    return torch.stack(out)


def cases(rng):
    yield "maxima", (torch.randn(9, 3),), {}
    yield "maxima", (torch.randn(1, 2).half(),), {}
