# expect: ASC104 safe scope=second_list
import torch
from torch import Tensor


def second_list(x: Tensor, a1: float, a2: float):
    ys = [x[0], x[1]]
    for t in range(2, len(x)):
        ys.append(x[t] + a1 * ys[-1] + a2 * ys[-2])
    return torch.stack(ys)


def cases(rng):
    def R(*s):
        return torch.tensor(rng.standard_normal(s), dtype=torch.float32)

    def G(*s):
        return torch.tensor(rng.standard_normal(s), dtype=torch.float32, requires_grad=True)

    yield "second_list", (G(9), 0.3, 0.2), {}
    yield "second_list", (G(9, 2), 0.3, 0.2), {}
    yield "second_list", (R(2), 0.3, 0.2), {}
