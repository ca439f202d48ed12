# refuse: the list has another name
import torch
from torch import Tensor


def dict_alias(x: Tensor, a: float):
    hs = []
    out = {"h": hs}
    h = torch.zeros_like(x[0])
    for t in range(len(x)):
        h = a * h + x[t]
        out["h"].append(h)
    return torch.stack(out["h"]), len(hs)


def cases(rng):
    def R(*s):
        return torch.tensor(rng.standard_normal(s), dtype=torch.float32)

    yield "dict_alias", (R(7, 3), 0.5), {}
