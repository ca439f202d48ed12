# expect: ASC109 unsafe scope=Attention.forward
import torch
from torch import nn
from torch.nn.modules.module import register_module_forward_hook


class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.weigh = nn.Softmax(dim=-1)

    def forward(self, q: torch.Tensor, k: torch.Tensor, v: torch.Tensor):
        """q, k, v: (B, T, D)."""
        return self.weigh(q @ k.transpose(-2, -1)) @ v


def called(q, k, v):
    names = []
    handle = register_module_forward_hook(lambda m, given, made: names.append(type(m).__name__))
    Attention()(q, k, v)
    handle.remove()
    return names


def cases(rng):
    yield "called", (torch.randn(2, 5, 8), torch.randn(2, 5, 8), torch.randn(2, 5, 8)), {}
