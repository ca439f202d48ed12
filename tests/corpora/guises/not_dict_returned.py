# refuse: the list itself is returned
import torch
from torch import Tensor


def dict_returned(x: Tensor, a: float):
    out = {"h": []}
    h = torch.zeros_like(x[0])
    for t in range(len(x)):
        h = a * h + x[t]
        out["h"].append(h)
    return out, torch.stack(out["h"])


def cases(rng):
    def R(*s):
        return torch.tensor(rng.standard_normal(s), dtype=torch.float32)

    yield "dict_returned", (R(7, 3), 0.5), {}
