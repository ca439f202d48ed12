# expect: ASC101 safe scope=slice_back
import torch
from torch import Tensor


def slice_back(r: Tensor, gamma: float):
    out = []
    g = torch.zeros_like(r[0])
    for t in range(r.shape[0] - 1, -1, -1):
        g = r[t] + gamma * g
        out.append(g)
    return torch.stack(out[::-1])


def cases(rng):
    def R(*s):
        return torch.tensor(rng.standard_normal(s), dtype=torch.float32)

    def G(*s):
        return torch.tensor(rng.standard_normal(s), dtype=torch.float32, requires_grad=True)

    yield "slice_back", (G(9, 3), 0.9), {}
    yield "slice_back", (R(9), 0.9), {}
