# expect: ASC101 safe scope=concat_front
import torch
from torch import Tensor


def concat_front(r: Tensor, gamma: float):
    out = []
    g = torch.zeros_like(r[0])
    for t in reversed(range(r.shape[0])):
        g = r[t] + gamma * g
        out = [g] + out
    return torch.stack(out)


def cases(rng):
    def R(*s):
        return torch.tensor(rng.standard_normal(s), dtype=torch.float32)

    def G(*s):
        return torch.tensor(rng.standard_normal(s), dtype=torch.float32, requires_grad=True)

    yield "concat_front", (G(9, 3), 0.9), {}
    yield "concat_front", (R(9), 0.9), {}
