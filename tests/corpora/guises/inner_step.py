# expect: ASC101 safe scope=inner_step
import torch
from torch import Tensor


def inner_step(x: Tensor, a: Tensor):
    def step(h, xt):
        return a * h + xt

    h = torch.zeros_like(x[:, 0])
    hs = []
    for t in range(x.shape[1]):
        h = step(h, x[:, t])
        hs.append(h)
    return torch.stack(hs, 1)


def cases(rng):
    def G(*s):
        return torch.tensor(rng.standard_normal(s), dtype=torch.float32, requires_grad=True)

    yield "inner_step", (G(2, 9, 3), G(3)), {}
    yield "inner_step", (G(2, 1, 3), G(3)), {}
