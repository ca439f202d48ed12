# expect: ASC109 unsafe scope=Attention.forward
import torch
from torch import nn


class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.weigh = nn.Softmax(dim=-1)

    def forward(self, q: torch.Tensor, k: torch.Tensor, v: torch.Tensor):
        """q, k, v: (B, T, D)."""
        weights = self.weigh(q @ k.transpose(-2, -1) / 8**0.5)
        return weights @ v


def shapes(q, k, v):
    model, seen = Attention(), []
    model.weigh.register_forward_hook(lambda module, given, made: seen.append(made.shape))
    model(q, k, v)
    return seen


def cases(rng):
    yield "shapes", (torch.randn(2, 5, 8), torch.randn(2, 5, 8), torch.randn(2, 5, 8)), {}
