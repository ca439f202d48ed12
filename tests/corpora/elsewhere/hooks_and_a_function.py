# expect: ASC109 safe scope=Attention.forward
import torch
from torch import nn


class Attention(nn.Module):
    def forward(self, q: torch.Tensor, k: torch.Tensor, v: torch.Tensor):
        """q, k, v: (B, T, D)."""
        return torch.softmax(q @ k.transpose(-2, -1), -1) @ v


def shapes(q, k, v):
    model, seen = Attention(), []
    model.register_forward_hook(lambda module, given, made: seen.append(made.shape))
    return model(q, k, v), seen


def cases(rng):
    yield "shapes", (torch.randn(2, 5, 8), torch.randn(2, 5, 8), torch.randn(2, 5, 8)), {}
