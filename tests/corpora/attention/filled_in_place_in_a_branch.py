# expect: ASC109 safe scope=CrossAttention.forward
import torch
from einops import rearrange, repeat
from torch import einsum, nn


class CrossAttention(nn.Module):
    def __init__(self, query_dim, context_dim, heads=2, dim_head=4):
        super().__init__()
        inner_dim = dim_head * heads
        self.scale = dim_head**-0.5
        self.heads = heads
        self.to_q = nn.Linear(query_dim, inner_dim, bias=False)
        self.to_k = nn.Linear(context_dim, inner_dim, bias=False)
        self.to_v = nn.Linear(context_dim, inner_dim, bias=False)

    def forward(self, x, context=None, mask=None):
        h = self.heads
        q = self.to_q(x)
        context = x if context is None else context
        k = self.to_k(context)
        v = self.to_v(context)
        q, k, v = map(lambda t: rearrange(t, "b n (h d) -> (b h) n d", h=h), (q, k, v))
        sim = einsum("b i d, b j d -> b i j", q, k) * self.scale
        if mask is not None:
            mask = rearrange(mask, "b ... -> b (...)")
            max_neg_value = -torch.finfo(sim.dtype).max
            mask = repeat(mask, "b j -> (b h) () j", h=h)
            sim.masked_fill_(~mask, max_neg_value)
        attn = sim.softmax(dim=-1)
        out = einsum("b i j, b j d -> b i d", attn, v)
        out = rearrange(out, "(b h) n d -> b n (h d)", h=h)
        return out


def cases(rng):
    def draw(*shape):
        return torch.tensor(rng.standard_normal(shape), dtype=torch.float32).requires_grad_()

    def keep(*shape):
        found = torch.tensor(rng.random(shape) < 0.6)
        found[..., 0] = True
        return found

    yield "CrossAttention(8, 8)", (draw(2, 5, 8),), {}
    yield (
        "CrossAttention(8, 6)",
        (
            draw(2, 5, 8),
            draw(2, 7, 6),
            keep(2, 7),
        ),
        {},
    )
