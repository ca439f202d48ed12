# expect: ASC101 safe scope=double_list
import torch
from torch import Tensor


def double_list(x: Tensor, a: float):
    res = {"states": [], "out": []}
    h = torch.zeros(x.shape[0], x.shape[2])
    for t in range(x.shape[1]):
        h = a * h + x[:, t]
        res["states"].append(h)
        res["out"].append(torch.tanh(h))
    res = {k: torch.stack(v, dim=1) for k, v in res.items()}
    return res


def cases(rng):
    def G(*s):
        return torch.tensor(rng.standard_normal(s), dtype=torch.float32, requires_grad=True)

    yield "double_list", (G(2, 7, 3), 0.9), {}
