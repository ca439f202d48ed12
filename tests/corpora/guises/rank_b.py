# expect: ASC101 safe scope=rank_b
import torch
from torch import Tensor


def rank_b(a, x: Tensor):
    out = []
    h = x[0]
    for v in x:
        h = a * h + (1 - a) * v
        out.append(h)
    return torch.stack(out)


def cases(rng):
    def G(*s):
        return torch.tensor(rng.standard_normal(s), dtype=torch.float32, requires_grad=True)

    yield "rank_b", (0.5, G(7, 3)), {}
    yield "rank_b", (G(3), G(3, 3)), {}
    yield "rank_b", (G(4), G(4)), {}
    yield "rank_b", (G(5), G(4)), {}
    yield "rank_b", (G(2, 1), G(2, 2)), {}
    yield "rank_b", (0.5, G(5)), {}
