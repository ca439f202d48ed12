# expect: ASC101 safe scope=stride_two
import torch
from torch import Tensor


def stride_two(x: Tensor, a: float):
    h = torch.zeros_like(x[0])
    out = []
    for t in range(0, x.shape[0], 2):
        h = a * h + x[t]
        out.append(h)
    return torch.stack(out)


def cases(rng):
    def G(*s):
        return torch.tensor(rng.standard_normal(s), dtype=torch.float32, requires_grad=True)

    yield "stride_two", (G(9, 3), 0.9), {}
    yield "stride_two", (G(8, 3), 0.9), {}
    yield "stride_two", (G(1, 3), 0.9), {}
