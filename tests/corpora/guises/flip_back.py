# expect: ASC101 safe scope=flip_back
import torch
from torch import Tensor


def flip_back(r: Tensor, gamma: float):
    out = []
    g = torch.zeros_like(r[:, 0])
    for t in reversed(range(r.shape[1])):
        g = r[:, t] + gamma * g
        out.append(g)
    return torch.flip(torch.stack(out, dim=1), dims=[1])


def cases(rng):
    def R(*s):
        return torch.tensor(rng.standard_normal(s), dtype=torch.float32)

    def G(*s):
        return torch.tensor(rng.standard_normal(s), dtype=torch.float32, requires_grad=True)

    yield "flip_back", (G(2, 9, 3), 0.9), {}
    yield "flip_back", (R(2, 9), 0.9), {}
