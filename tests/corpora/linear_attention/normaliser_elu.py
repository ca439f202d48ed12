# expect: ASC103 safe scope=LinearTransformerLayer.forward
import torch
import torch.nn.functional as F
from torch import nn


class LinearTransformerLayer(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.qkv = nn.Linear(width, 3 * width)
        self.proj = nn.Linear(width, width)
        self.eps = 1e-6

    def forward(self, x):
        B, T, C = x.shape
        q, k, v = self.qkv(x).view(B, T, 3, self.heads, C // self.heads).unbind(2)
        q, k = F.elu(q) + 1, F.elu(k) + 1
        S = x.new_zeros(B, self.heads, C // self.heads, C // self.heads)
        z = x.new_zeros(B, self.heads, C // self.heads)
        ys = []
        for t in range(T):
            S = S + torch.einsum("bhd,bhm->bhdm", k[:, t], v[:, t])
            z = z + k[:, t]
            num = torch.einsum("bhd,bhdm->bhm", q[:, t], S)
            den = torch.einsum("bhd,bhd->bh", q[:, t], z) + self.eps
            ys.append(num / den.unsqueeze(-1))
        y = torch.stack(ys, dim=1)
        return self.proj(y.reshape(B, T, C))


def cases(rng):
    draw = lambda *s: torch.tensor(rng.standard_normal(s), dtype=torch.float32).requires_grad_()
    for b, l in ((1, 1), (2, 13)):
        yield "LinearTransformerLayer(8, 2)", (draw(b, l, 8),), {}
