# expect: ASC101 safe scope=slice_stride
import torch
from torch import Tensor


def slice_stride(x: Tensor, a: float):
    h = torch.zeros_like(x[0])
    out = []
    for v in x[::2]:
        h = a * h + v
        out.append(h)
    return torch.stack(out)


def cases(rng):
    def G(*s):
        return torch.tensor(rng.standard_normal(s), dtype=torch.float32, requires_grad=True)

    yield "slice_stride", (G(9, 3), 0.9), {}
    yield "slice_stride", (G(8, 3), 0.9), {}
    yield "slice_stride", (G(1, 3), 0.9), {}
