# expect: ASC101 safe scope=nested_tb
# may: LOC306 safe scope=nested_tb
import torch
from torch import Tensor


def nested_tb(a: Tensor, x: Tensor):
    T, B = x.shape
    out = torch.zeros(T, B)
    for t in range(1, T):
        for b in range(B):
            out[t, b] = a[t, b] * out[t - 1, b] + x[t, b]
    return out


def cases(rng):
    def R(*s):
        return torch.tensor(rng.standard_normal(s), dtype=torch.float32)

    yield "nested_tb", (R(7, 2), R(7, 2)), {}
    yield "nested_tb", (R(1, 2), R(1, 2)), {}
