# expect: SPA403 safe scope=Mixture.forward
import torch
from torch import nn


class Mixture(nn.Module):
    """The experts' results are listed first, and then summed with columns of the gates."""

    def __init__(self, size, count, top):
        super().__init__()
        self.top = top
        self.gate = nn.Linear(size, count, bias=False)
        self.experts = nn.ModuleList([nn.Linear(size, size) for _ in range(count)])

    def forward(self, states):
        rows, length, size = states.shape
        flat = states.view(-1, size)
        routing = torch.softmax(self.gate(flat), dim=1)
        weights, chosen = torch.topk(routing, self.top, dim=-1)
        dense = torch.zeros_like(routing).scatter_(1, chosen, weights)
        results = [expert(flat) for expert in self.experts]
        total = sum(dense[:, i : i + 1] * result for i, result in enumerate(results))
        return total.view(rows, length, size)


def cases(rng):
    yield "Mixture(4, 5, 2)", (torch.randn(2, 3, 4, requires_grad=True),), {}
