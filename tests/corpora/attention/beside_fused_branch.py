# may: ASC109 advice scope=Attention.forward
# The fast path exists already; this is its fallback.
import torch
import torch.nn.functional as F
from torch import nn


class Attention(nn.Module):
    def __init__(self, fused=True):
        super().__init__()
        self.fused_attn = fused and hasattr(F, "scaled_dot_product_attention")

    def forward(self, q, k, v):
        if self.fused_attn:
            x = F.scaled_dot_product_attention(q, k, v)
        else:
            attn = (q * q.shape[-1] ** -0.5) @ k.transpose(-2, -1)
            x = attn.softmax(dim=-1) @ v
        return x


def cases(rng):
    draw = lambda *s: torch.tensor(rng.standard_normal(s), dtype=torch.float32)
    for fused in (True, False):
        args = (draw(2, 2, 7, 4), draw(2, 2, 7, 4), draw(2, 2, 7, 4))
        yield f"Attention({fused})", args, {}
