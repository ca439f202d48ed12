# expect: RED504 advice scope=attend
import torch
import torch.nn.functional as F


def attend(q, k, v, past_key, past_value):
    k = torch.cat([past_key, k], dim=2)
    v = torch.cat([past_value, v], dim=2)
    return F.scaled_dot_product_attention(q, k, v), (k, v)


def cases(rng):
    draw = lambda n: torch.tensor(rng.standard_normal((1, 2, n, 4)))
    yield "attend", (draw(1), draw(1), draw(1), draw(5), draw(5)), {}
