# expect: ASC106 safe scope=squared_error
# expect: ASC106 safe scope=overlap
# expect: ASC106 safe scope=distance
import numpy as np
import torch
from torch import Tensor


def squared_error(p, t):
    s = 0.0
    for i in range(p.shape[0]):
        s = s + ((p[i] - t[i]) ** 2).sum()
    return s / p.numel()


def overlap(x: Tensor, y: Tensor):
    total = torch.zeros(())
    for a, b in zip(x, y, strict=True):
        total = total + torch.sum(torch.minimum(a, b).abs())
    return total


def distance(a: np.ndarray, b: np.ndarray):
    total = 0.0
    for left, right in zip(a, b, strict=True):
        total += np.sum(np.abs(left - 2.0 * right))
    return total


def cases(rng):
    def G(*s):
        return torch.tensor(rng.standard_normal(s), dtype=torch.float32, requires_grad=True)

    for left, right in (((5, 3), (5, 3)), ((4, 3), (4,)), ((6,), (6,)), ((3, 2, 4), (3, 4))):
        yield "squared_error", (G(*left), G(*right)), {}
        yield "overlap", (G(*left), G(*right)), {}
        yield "distance", (rng.standard_normal(left), rng.standard_normal(right)), {}
    yield "squared_error", (G(4, 3).mT, G(3)), {}
    yield "overlap", (G(0, 3).detach(), G(0, 3).detach()), {}
