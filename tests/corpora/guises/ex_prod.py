# expect: ASC105 safe scope=ex_prod
import torch
from torch import Tensor


def ex_prod(alpha: Tensor):
    T = torch.ones_like(alpha[:, 0])
    ws = []
    for i in range(alpha.shape[1]):
        ws.append(T * alpha[:, i])
        T = T * (1 - alpha[:, i])
    return torch.stack(ws, dim=1)


def cases(rng):
    def G(*s):
        return torch.tensor(rng.standard_normal(s), dtype=torch.float32, requires_grad=True)

    def U(*s):
        return torch.tensor(rng.random(s), dtype=torch.float32)

    yield "ex_prod", (U(2, 9, 3),), {}
    yield "ex_prod", (G(2, 9),), {}
    yield "ex_prod", (G(2, 1),), {}
