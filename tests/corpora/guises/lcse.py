# expect: ASC104 safe scope=lcse
import torch
from torch import Tensor


def lcse(x: Tensor):
    acc = x[:, 0]
    res = [acc]
    for t in range(1, x.shape[1]):
        acc = torch.logaddexp(acc, x[:, t])
        res.append(acc)
    return torch.stack(res, dim=1)


def cases(rng):
    def R(*s):
        return torch.tensor(rng.standard_normal(s), dtype=torch.float32)

    def G(*s):
        return torch.tensor(rng.standard_normal(s), dtype=torch.float32, requires_grad=True)

    yield "lcse", (G(2, 9, 3),), {}
    yield "lcse", (R(2, 9),), {}
    yield "lcse", (R(2, 1),), {}
