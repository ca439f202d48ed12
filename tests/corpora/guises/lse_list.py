# expect: ASC104 safe scope=lse_list
import torch
from torch import Tensor


def lse_list(x: Tensor):
    acc = torch.full_like(x[0], float("-inf"))
    out = []
    for v in x:
        acc = torch.logaddexp(acc, v)
        out.append(acc)
    return torch.stack(out)


def cases(rng):
    def G(*s):
        return torch.tensor(rng.standard_normal(s), dtype=torch.float32, requires_grad=True)

    yield "lse_list", (G(300, 3),), {}
    yield "lse_list", (G(9),), {}
