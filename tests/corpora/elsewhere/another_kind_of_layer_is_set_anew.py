# expect: ASC109 safe scope=Attention.forward
import torch
from torch import nn


class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.weigh = nn.Softmax(dim=-1)
        self.norm = nn.LayerNorm(8)

    def forward(self, q: torch.Tensor, k: torch.Tensor, v: torch.Tensor):
        """q, k, v: (B, T, D)."""
        return self.norm(self.weigh(q @ k.transpose(-2, -1)) @ v)


def exact(q, k, v):
    model = Attention()
    for layer in model.modules():
        if isinstance(layer, nn.LayerNorm):
            layer.eps = 1e-6
    return model(q, k, v)


def cases(rng):
    yield "exact", (torch.randn(2, 5, 8), torch.randn(2, 5, 8), torch.randn(2, 5, 8)), {}
