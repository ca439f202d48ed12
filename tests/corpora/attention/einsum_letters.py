# expect: ASC109 safe scope=Attend.forward
import torch
from torch import einsum, nn


class Attend(nn.Module):
    def forward(self, q, k, v, causal: bool = False):
        scale = q.shape[-1] ** -0.5
        sim = einsum("b h i d, b h j d -> b h i j", q, k) * scale
        if causal:
            i, j = sim.shape[-2:]
            mask = torch.ones(i, j, device=q.device, dtype=torch.bool).triu(j - i + 1)
            sim = sim.masked_fill(mask, -torch.finfo(sim.dtype).max)
        attn = sim.softmax(dim=-1)
        return einsum("b h i j, b h j d -> b h i d", attn, v)


def cases(rng):
    draw = lambda *s: torch.tensor(rng.standard_normal(s), dtype=torch.float32).requires_grad_()
    args = (draw(2, 2, 6, 4), draw(2, 2, 10, 4), draw(2, 2, 10, 4))
    yield "Attend()", args, {}
    yield "Attend()", args, {"causal": True}
    yield "Attend()", (draw(1, 2, 8, 4), draw(1, 2, 8, 4), draw(1, 2, 8, 4), True), {}
