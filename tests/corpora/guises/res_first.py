# expect: ASC105 safe scope=res_first
import torch
from torch import Tensor


def res_first(x: Tensor):
    m = x[0]
    res = [m]
    for t in range(1, x.shape[0]):
        m = torch.maximum(m, x[t])
        res.append(m)
    return torch.stack(res)


def cases(rng):
    def R(*s):
        return torch.tensor(rng.standard_normal(s), dtype=torch.float32)

    def G(*s):
        return torch.tensor(rng.standard_normal(s), dtype=torch.float32, requires_grad=True)

    yield "res_first", (G(9, 3),), {}
    yield "res_first", (R(9),), {}
    yield "res_first", (torch.arange(7),), {}
