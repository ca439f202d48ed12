# expect: ASC101 safe scope=concat_back
import torch
from torch import Tensor


def concat_back(x: Tensor, a: float):
    out = []
    g = torch.zeros_like(x[0])
    for t in range(x.shape[0]):
        g = x[t] + a * g
        out = out + [g]
    return torch.stack(out)


def cases(rng):
    def R(*s):
        return torch.tensor(rng.standard_normal(s), dtype=torch.float32)

    def G(*s):
        return torch.tensor(rng.standard_normal(s), dtype=torch.float32, requires_grad=True)

    yield "concat_back", (G(9, 3), 0.9), {}
    yield "concat_back", (R(9), 0.9), {}
