# refuse: ASC109 along which axis the layer works is set elsewhere
import torch
from torch import nn


class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.weigh = nn.Softmax(dim=-1)

    def forward(self, q: torch.Tensor, k: torch.Tensor, v: torch.Tensor):
        """q, k, v: (B, T, D)."""
        return self.weigh(q @ k.transpose(-2, -1)) @ v


def both(q, k, v):
    model = Attention()
    over_keys = model(q, k, v)
    model.weigh.dim = -2
    return over_keys, model(q, k, v)


def cases(rng):
    yield "both", (torch.randn(2, 5, 8), torch.randn(2, 5, 8), torch.randn(2, 5, 8)), {}
