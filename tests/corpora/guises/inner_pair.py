# expect: ASC101 safe scope=inner_pair
import torch
from torch import Tensor


def inner_pair(x: Tensor, a: Tensor):
    def step(h, xt):
        h = a * h + xt
        return h, torch.tanh(h)

    h = torch.zeros_like(x[:, 0])
    hs = []
    for t in range(x.shape[1]):
        h, y = step(h, x[:, t])
        hs.append(y)
    return torch.stack(hs, 1), h


def cases(rng):
    def G(*s):
        return torch.tensor(rng.standard_normal(s), dtype=torch.float32, requires_grad=True)

    yield "inner_pair", (G(2, 9, 3), G(3)), {}
    yield "inner_pair", (G(2, 1, 3), G(3)), {}
