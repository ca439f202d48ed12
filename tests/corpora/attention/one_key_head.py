# expect: ASC109 safe scope=MQA.forward
import torch
from einops import rearrange
from torch import einsum, nn


class MQA(nn.Module):
    def __init__(self, dim, heads=4, dim_head=8):
        super().__init__()
        self.heads = heads
        self.scale = dim_head**-0.5
        self.to_q = nn.Linear(dim, heads * dim_head, bias=False)
        self.to_kv = nn.Linear(dim, dim_head * 2, bias=False)

    def forward(self, x):
        n, device, h = x.shape[1], x.device, self.heads
        q = self.to_q(x)
        k, v = self.to_kv(x).chunk(2, dim=-1)
        q = rearrange(q, "b n (h d) -> b h n d", h=h)
        q = q * self.scale
        sim = einsum("b h i d, b j d -> b h i j", q, k)
        causal_mask = torch.ones((n, n), device=device, dtype=torch.bool).triu(1)
        sim = sim.masked_fill(causal_mask, -torch.finfo(sim.dtype).max)
        sim = sim - sim.amax(dim=-1, keepdim=True).detach()
        attn = sim.softmax(dim=-1)
        out = einsum("b h i j, b j d -> b h i d", attn, v)
        return rearrange(out, "b h n d -> b n (h d)")


def cases(rng):
    def draw(*shape):
        return torch.tensor(rng.standard_normal(shape), dtype=torch.float32).requires_grad_()

    yield "MQA(8)", (draw(2, 6, 8),), {}
