# expect: ASC106 safe scope=entropy
# expect: ASC106 safe scope=hinge
# expect: ASC106 safe scope=wasted
import numpy as np
import torch


def entropy(p: np.ndarray) -> float:
    bits = 0.0
    for q in p:
        if q > 0:
            bits -= q * np.log2(q)
    return bits


def hinge(scores: np.ndarray, y: np.ndarray) -> float:
    loss = 0.0
    for i in range(len(y)):
        if y[i] * scores[i] < 1:
            loss += (1 - y[i] * scores[i]) ** 2
    return loss


def wasted(x: torch.Tensor, pad: torch.Tensor):
    n, width = x.shape
    total = torch.zeros(width, dtype=torch.float64)
    for i in range(n):
        if pad[i]:
            total = total + x[i].exp() * 2
    return total


def cases(rng):
    for n in (0, 1, 2, 9):
        yield "entropy", (rng.random(n) * (rng.random(n) > 0.4),), {}
        yield "hinge", (rng.standard_normal(n), rng.choice([-1.0, 1.0], n)), {}
    x = torch.tensor(rng.random((5, 3)), requires_grad=True)
    yield "wasted", (x, torch.tensor([True, False, True, True, False])), {}
