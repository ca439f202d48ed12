# expect: SPA403 safe scope=Switch.forward
import torch
from torch import nn


class Switch(nn.Module):
    """Each row of the stack is read at the place of its best expert."""

    def __init__(self, size, count):
        super().__init__()
        self.router = nn.Linear(size, count)
        self.experts = nn.ModuleList([nn.Linear(size, size) for _ in range(count)])

    def forward(self, x):
        share, best = self.router(x).softmax(-1).max(dim=-1)
        outputs = torch.stack([expert(x) for expert in self.experts], dim=1)
        chosen = outputs[torch.arange(x.size(0), device=x.device), best]
        return chosen * share.unsqueeze(-1)


def cases(rng):
    yield "Switch(4, 3)", (torch.randn(6, 4, requires_grad=True),), {}
    yield "Switch(2, 4)", (torch.randn(1, 2),), {}
