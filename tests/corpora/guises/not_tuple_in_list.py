# refuse: the tuples themselves are kept
import torch
from torch import Tensor


def tuple_in_list(x: Tensor, a: float):
    s = (torch.zeros_like(x[0]), 0)
    hist = []
    for t in range(len(x)):
        s = (a * s[0] + x[t], s[1] + 1)
        hist.append(s)
    return hist


def cases(rng):
    def R(*s):
        return torch.tensor(rng.standard_normal(s), dtype=torch.float32)

    yield "tuple_in_list", (R(7, 3), 0.5), {}
