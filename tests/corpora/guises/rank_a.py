# expect: ASC101 safe scope=rank_a
import torch
from torch import Tensor


def rank_a(a: Tensor, x: Tensor):
    h = 0
    out = []
    for t in range(x.shape[0]):
        h = a * h + x[t]
        out.append(h)
    return torch.stack(out)


def cases(rng):
    def G(*s):
        return torch.tensor(rng.standard_normal(s), dtype=torch.float32, requires_grad=True)

    yield "rank_a", (G(7, 3), G(7, 3)), {}
    yield "rank_a", (G(3), G(3, 3)), {}
    yield "rank_a", (G(4), G(4)), {}
    yield "rank_a", (G(5), G(4)), {}
    yield "rank_a", (G(2, 1), G(2, 2)), {}
    yield "rank_a", (G(3), G(4, 2, 3)), {}
