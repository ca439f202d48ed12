# expect: SPA403 safe scope=Routed.forward
# expect: SPA403 safe scope=Best.forward
import torch
from torch import nn


class Routed(nn.Module):
    """A token has one expert: its mask, as a column of numbers."""

    def __init__(self, size, count):
        super().__init__()
        self.count = count
        self.route = nn.Linear(size, count)
        self.experts = nn.ModuleList([nn.Linear(size, size) for _ in range(count)])

    def forward(self, tokens):
        share, which = self.route(tokens).softmax(dim=1).topk(1, dim=1)
        result = torch.zeros_like(tokens)
        for number in range(self.count):
            mask = (which.squeeze(1) == number).float().unsqueeze(1)
            result += mask * self.experts[number](tokens)
        return result * share


class Best(nn.Module):
    def __init__(self, size, count):
        super().__init__()
        self.route = nn.Linear(size, count)
        self.experts = nn.ModuleList([nn.Linear(size, size) for _ in range(count)])

    def forward(self, x):
        best = self.route(x).argmax(dim=-1)
        out = torch.zeros_like(x)
        for number, expert in enumerate(self.experts):
            out = out + expert(x) * (best == number)[:, None]
        return out


def cases(rng):
    yield "Routed(4, 3)", (torch.randn(6, 4, requires_grad=True),), {}
    yield "Routed(4, 3)", (torch.randn(1, 4),), {}
    yield "Best(4, 3)", (torch.randn(5, 4),), {}
