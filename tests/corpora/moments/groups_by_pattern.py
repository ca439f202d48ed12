# expect: ASC108 safe scope=gn
import torch
from einops import rearrange


def gn(x, groups):
    b, c, h, w = x.shape
    y = rearrange(x, "b (g c) h w -> b g (c h w)", g=groups)
    y = (y - y.mean(-1, keepdim=True)) / torch.sqrt(y.var(-1, unbiased=False, keepdim=True) + 1e-5)
    return rearrange(y, "b g (c h w) -> b (g c) h w", c=c // groups, h=h, w=w)


def cases(rng):
    yield (
        "gn",
        (
            torch.randn(2, 4, 3, 3, requires_grad=True),
            2,
        ),
        {},
    )
