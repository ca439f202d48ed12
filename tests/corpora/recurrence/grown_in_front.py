# expect: ASC101 safe scope=returns
# expect: ASC101 safe scope=of_numpy
# expect: ASC105 safe scope=totals
import numpy as np
import torch
from torch import Tensor


def returns(r: Tensor, gamma: float):
    steps, width = r.shape
    g = torch.zeros(width)
    out = torch.empty(0, width)
    for t in reversed(range(steps)):
        g = r[t] + gamma * g
        out = torch.cat((g[None], out))
    return out


def of_numpy(x: np.ndarray, a: float):
    steps, width = x.shape
    h = np.zeros(width)
    out = np.empty((0, width))
    for t in range(steps):
        h = a * h + x[t]
        out = np.concatenate([out, h[None]])
    return out


def totals(x: Tensor):
    steps, width = x.shape
    total = torch.zeros(width)
    out = torch.empty(0, width)
    for t in range(steps):
        total = total + x[t]
        out = torch.cat((out, total[None]), dim=0)
    return out


def cases(rng):
    draw = lambda *s: torch.tensor(rng.random(s), dtype=torch.float32, requires_grad=s[0] > 0)
    for steps in (0, 1, 2, 7):
        yield "returns", (draw(steps, 3), 0.5), {}
        yield "totals", (draw(steps, 3),), {}
        yield "of_numpy", (rng.random((steps, 3)), 0.5), {}
