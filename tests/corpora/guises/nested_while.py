# expect: ASC101 safe scope=nested_while
import torch
from torch import Tensor


def nested_while(x: Tensor, a: float):
    B, T = x.shape
    y = torch.zeros(B, T)
    for i in range(B):
        prev = 0.0
        for j in range(T):
            prev = a * prev + (1 - a) * x[i, j]
            y[i, j] = prev
    return y


def cases(rng):
    def R(*s):
        return torch.tensor(rng.standard_normal(s), dtype=torch.float32)

    yield "nested_while", (R(3, 7), 0.9), {}
