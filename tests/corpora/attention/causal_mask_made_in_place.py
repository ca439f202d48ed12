# expect: ASC109 safe scope=attend
import torch
import torch.nn.functional as F
from torch import einsum


def attend(q, k, v, causal: bool = True):
    dots = einsum("b h i d, b h j d -> b h i j", q, k) * (q.shape[-1] ** -0.5)
    i, j = dots.shape[-2:]
    if causal:
        mask = torch.ones((i, j), device=dots.device, dtype=torch.bool).triu_(j - i + 1)
        dots.masked_fill_(mask, -torch.finfo(dots.dtype).max)
    attn = F.softmax(dots, dim=-1)
    return einsum("b h i j, b h j d -> b h i d", attn, v)


def cases(rng):
    def made(*shape):
        return torch.tensor(rng.standard_normal(shape), requires_grad=True)

    yield "attend", (made(2, 3, 5, 4), made(2, 3, 7, 4), made(2, 3, 7, 4)), {}
    yield "attend", (made(1, 1, 1, 2), made(1, 1, 1, 2), made(1, 1, 1, 2)), {"causal": False}
