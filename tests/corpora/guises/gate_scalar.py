# expect: ASC101 safe scope=gate_scalar
import torch
from torch import Tensor


def gate_scalar(a: Tensor, x: Tensor):
    h = torch.zeros(x.shape[1])
    out = []
    for t in range(x.shape[0]):
        h = a[t] * h + x[t]
        out.append(h)
    return torch.stack(out)


def cases(rng):
    def G(*s):
        return torch.tensor(rng.standard_normal(s), dtype=torch.float32, requires_grad=True)

    yield "gate_scalar", (G(9), G(9, 3)), {}
    yield "gate_scalar", (G(9, 3), G(9, 3)), {}
    yield "gate_scalar", (G(9, 1), G(9, 3)), {}
