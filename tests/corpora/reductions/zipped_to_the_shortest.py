# expect: ASC106 safe scope=squared_error
# expect: ASC106 safe scope=weighted
# expect: ASC106 safe|advice scope=triple
# expect: ASC106 safe scope=hits
# expect: ASC106 safe scope=squares
import numpy as np
import torch
from torch import Tensor


def squared_error(pred: np.ndarray, target: np.ndarray):
    total = 0.0
    for p, t in zip(pred, target):
        total += (p - t) ** 2
    return total / len(pred)


def weighted(losses: Tensor, weights: Tensor):
    loss = 0
    for one, weight in zip(losses, weights):
        loss = loss + weight * one
    return loss


def triple(a: Tensor, b: Tensor, c: Tensor):
    s = torch.zeros(())
    for x, y, z in zip(a, b, c):
        s = s + (x * y * z).sum()
    return s


def squares(a: Tensor, b: Tensor):
    s = torch.zeros(())
    for x, y in zip(a, b):
        s = s + (x - 2.0 * y) ** 2
    return s


def hits(a: Tensor, b: Tensor):
    n = 0
    for x, y in zip(a, b):
        if x == y:
            n += 1
    return n


def cases(rng):
    def G(*s):
        return torch.tensor(rng.standard_normal(s), dtype=torch.float32, requires_grad=True)

    for left, right in ((5, 5), (7, 3), (1, 4), (6, 1)):
        yield "squared_error", (rng.standard_normal(left), rng.standard_normal(right)), {}
        yield "squared_error", (rng.standard_normal((left, 1)), rng.standard_normal(right)), {}
        yield "squared_error", (rng.standard_normal((left, 2)), rng.standard_normal(right)), {}
        yield "weighted", (G(left), G(right)), {}
        yield "weighted", (G(left, 3), G(right)), {}
        yield "triple", (G(left, 2), G(right, 2), G(4, 2)), {}
        yield "squares", (G(left), G(right)), {}
        yield "squares", (G(left, 1), G(right)), {}
        yield "squares", (G(left, 2, 3), G(right, 3)), {}
        yield "hits", (torch.arange(left), torch.arange(right)), {}
