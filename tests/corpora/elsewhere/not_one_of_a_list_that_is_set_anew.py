# refuse: ASC109 along which axis a layer of the list works is set elsewhere
import torch
from torch import nn


class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.steps = nn.ModuleList([nn.Softmax(dim=-1)])

    def forward(self, q: torch.Tensor, k: torch.Tensor, v: torch.Tensor):
        """q, k, v: (B, T, D)."""
        return self.steps[0](q @ k.transpose(-2, -1)) @ v


def over_queries(q, k, v):
    model = Attention()
    weigh = model.steps[0]
    weigh.dim = -2
    return model(q, k, v)


def cases(rng):
    yield "over_queries", (torch.randn(2, 5, 8), torch.randn(2, 5, 8), torch.randn(2, 5, 8)), {}
