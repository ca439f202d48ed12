# refuse: RED504 what is put behind the cached keys is not handed on
import torch
import torch.nn.functional as F


def attend(q, k, v, cached_k, cached_v):
    k = torch.cat([cached_k, k], dim=2)
    v = torch.cat([cached_v, v], dim=2)
    return F.scaled_dot_product_attention(q, k, v)


def cases(rng):
    draw = lambda n: torch.tensor(rng.standard_normal((1, 2, n, 4)))
    yield "attend", (draw(1), draw(1), draw(1), draw(5), draw(5)), {}
