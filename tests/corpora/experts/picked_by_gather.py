# expect: SPA403 safe scope=Mixture.forward
import torch
from torch import nn


class Mixture(nn.Module):
    """What all experts give is stacked, and gathered at the places of the best."""

    def __init__(self, size, count):
        super().__init__()
        self.gate = nn.Linear(size, count)
        self.experts = nn.ModuleList(
            [nn.Sequential(nn.Linear(size, 5), nn.GELU(), nn.Linear(5, size)) for _ in range(count)]
        )

    def forward(self, x):
        rows, size = x.shape
        weights, places = self.gate(x).softmax(dim=-1).topk(2, dim=-1)
        outputs = torch.stack([expert(x) for expert in self.experts], dim=1)
        best = torch.gather(outputs, 1, places.unsqueeze(-1).expand(-1, -1, size))
        return (best * weights.unsqueeze(-1)).sum(dim=1)


def cases(rng):
    yield "Mixture(4, 5)", (torch.randn(7, 4, requires_grad=True),), {}
    yield "Mixture(3, 2)", (torch.randn(1, 3),), {}
