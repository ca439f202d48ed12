# refuse: ASC109 along which axis the layer works is set by a walk through all layers
import torch
from torch import nn


class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.weigh = nn.Softmax(dim=-1)

    def forward(self, q: torch.Tensor, k: torch.Tensor, v: torch.Tensor):
        """q, k, v: (B, T, D)."""
        return self.weigh(q @ k.transpose(-2, -1)) @ v


def over_queries(q, k, v):
    model = Attention()
    for layer in model.modules():
        if isinstance(layer, nn.Softmax):
            layer.dim = -2
    return model(q, k, v)


def cases(rng):
    yield "over_queries", (torch.randn(2, 5, 8), torch.randn(2, 5, 8), torch.randn(2, 5, 8)), {}
