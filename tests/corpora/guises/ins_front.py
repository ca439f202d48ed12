# expect: ASC101 safe scope=ins_front
import torch
from torch import Tensor


def ins_front(r: Tensor, gamma: float):
    out = []
    g = torch.zeros_like(r[0])
    for t in reversed(range(r.shape[0])):
        g = r[t] + gamma * g
        out.insert(0, g)
    return torch.stack(out)


def cases(rng):
    def R(*s):
        return torch.tensor(rng.standard_normal(s), dtype=torch.float32)

    def G(*s):
        return torch.tensor(rng.standard_normal(s), dtype=torch.float32, requires_grad=True)

    yield "ins_front", (G(9, 3), 0.9), {}
    yield "ins_front", (R(9), 0.9), {}
