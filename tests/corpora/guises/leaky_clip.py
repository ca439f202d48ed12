# expect: ASC104 safe scope=leaky_clip
import torch
from torch import Tensor


def leaky_clip(x: Tensor, a: float):
    v = torch.zeros_like(x[:, 0])
    vs = []
    for t in range(x.size(1)):
        v = torch.relu(a * v + x[:, t])
        vs.append(v)
    return torch.stack(vs, dim=1)


def cases(rng):
    def G(*s):
        return torch.tensor(rng.standard_normal(s), dtype=torch.float32, requires_grad=True)

    yield "leaky_clip", (G(2, 200, 3), 0.9), {}
    yield "leaky_clip", (G(2, 7), 0.9), {}
