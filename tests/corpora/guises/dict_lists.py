# expect: ASC101 safe|unsafe scope=dict_lists
import torch
from torch import Tensor


def dict_lists(x: Tensor, z: Tensor, a: float):
    out = {"h": [], "z": []}
    h = torch.zeros_like(x[0])
    for t in range(x.shape[0]):
        h = a * h + x[t]
        out["h"].append(h)
        out["z"].append(z[t] * h)
    return {k: torch.stack(v) for k, v in out.items()}


def cases(rng):
    def G(*s):
        return torch.tensor(rng.standard_normal(s), dtype=torch.float32, requires_grad=True)

    yield "dict_lists", (G(9, 3), G(9, 3), 0.9), {}
    yield "dict_lists", (G(1, 3), G(1, 3), 0.9), {}
