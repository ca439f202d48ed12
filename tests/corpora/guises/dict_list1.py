# expect: ASC101 safe scope=dict_list1
import torch
from torch import Tensor


def dict_list1(x: Tensor, a: float):
    out = {"h": []}
    h = torch.zeros_like(x[0])
    for t in range(x.shape[0]):
        h = a * h + x[t]
        out["h"].append(h)
    return torch.stack(out["h"])


def cases(rng):
    def G(*s):
        return torch.tensor(rng.standard_normal(s), dtype=torch.float32, requires_grad=True)

    yield "dict_list1", (G(9, 3), 0.9), {}
    yield "dict_list1", (G(1, 3), 0.9), {}
