# refuse: RED504 what is new stands in front, where a preallocated cache has no place
import torch
import torch.nn.functional as F


def attend(q, k, v, past_key, past_value):
    k = torch.cat([k, past_key], dim=2)
    v = torch.cat([v, past_value], dim=2)
    return F.scaled_dot_product_attention(q, k, v), (k, v)


def cases(rng):
    draw = lambda n: torch.tensor(rng.standard_normal((1, 2, n, 4)))
    yield "attend", (draw(1), draw(1), draw(1), draw(5), draw(5)), {}
