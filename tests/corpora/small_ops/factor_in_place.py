# expect: LOC306 safe scope=scaled
# expect: LOC306 safe scope=added
import torch


def scaled(x: torch.Tensor):
    out = x.new_full((len(x),), 2)
    for i in range(len(x)):
        out[i] *= x[i]
    return out


def added(x: torch.Tensor):
    out = torch.ones(len(x))
    for i in range(len(x)):
        out[i] += x[i]
    return out


def cases(rng):
    for name in ("scaled", "added"):
        for n in (4, 1):
            yield name, (torch.randn(n, requires_grad=True),), {}
