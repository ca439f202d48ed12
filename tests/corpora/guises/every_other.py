# expect: ASC101 safe scope=every_other
import torch
from torch import Tensor


def every_other(x: Tensor, a: float):
    h = torch.zeros_like(x[0])
    outs = []
    for i in range(1, x.shape[0], 3):
        h = a * h + x[i]
        outs.append(h)
    return torch.stack(outs)


def cases(rng):
    def G(*s):
        return torch.tensor(rng.standard_normal(s), dtype=torch.float32, requires_grad=True)

    yield "every_other", (G(9, 3), 0.9), {}
    yield "every_other", (G(8, 3), 0.9), {}
    yield "every_other", (G(2, 3), 0.9), {}
