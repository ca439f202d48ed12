# expect: ASC105 safe scope=rank_c
import torch
from torch import Tensor


def rank_c(w: Tensor, x: Tensor):
    s = torch.zeros_like(x[0])
    out = []
    for wt, xt in zip(w, x):
        s = s + wt * xt
        out.append(s)
    return torch.stack(out)


def cases(rng):
    def G(*s):
        return torch.tensor(rng.standard_normal(s), dtype=torch.float32, requires_grad=True)

    yield "rank_c", (G(7), G(7, 3)), {}
    yield "rank_c", (G(3), G(3, 3)), {}
    yield "rank_c", (G(3, 3), G(3)), {}
    yield "rank_c", (G(7, 3), G(7, 3)), {}
    yield "rank_c", (G(7, 2, 3), G(7, 3)), {}
    yield "rank_c", (G(5), G(5, 2, 3)), {}
