# expect: ASC101 safe scope=nested_scalar
import torch
from torch import Tensor


def nested_scalar(a: Tensor, x: Tensor):
    B, T = x.shape
    out = torch.empty(B, T)
    for b in range(B):
        h = 0.0
        for t in range(T):
            h = a[b, t] * h + x[b, t]
            out[b, t] = h
    return out


def cases(rng):
    def R(*s):
        return torch.tensor(rng.standard_normal(s), dtype=torch.float32)

    def G(*s):
        return torch.tensor(rng.standard_normal(s), dtype=torch.float32, requires_grad=True)

    yield "nested_scalar", (R(2, 7), R(2, 7)), {}
    yield "nested_scalar", (G(2, 7), G(2, 7)), {}
    yield "nested_scalar", (R(2, 0), R(2, 0)), {}
