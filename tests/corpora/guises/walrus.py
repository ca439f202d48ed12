# expect: ASC101 safe scope=walrus
import torch
from torch import Tensor


def walrus(x: Tensor, h: Tensor, a: float):
    return torch.stack([h := a * h + x[t] for t in range(len(x))])


def cases(rng):
    def G(*s):
        return torch.tensor(rng.standard_normal(s), dtype=torch.float32, requires_grad=True)

    yield "walrus", (G(7, 3), G(3), 0.9), {}
    yield "walrus", (G(1, 3), G(3), 0.9), {}
