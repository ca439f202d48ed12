# refuse: SPA403 the tokens are written between the experts and their sum
import torch
from torch import nn


class Mixture(nn.Module):
    def __init__(self, size=4, count=5):
        super().__init__()
        self.count = count
        self.router = nn.Linear(size, count)
        self.experts = nn.ModuleList(
            [nn.Sequential(nn.Linear(size, 6), nn.ReLU(), nn.Linear(6, size)) for _ in range(count)]
        )

    def forward(self, x):
        scores = self.router(x).softmax(dim=-1)
        best, places = scores.topk(2, dim=-1)
        gates = torch.zeros_like(scores).scatter(-1, places, best)
        outputs = torch.stack([expert(x) for expert in self.experts], dim=-2)
        x = x + outputs.mean(dim=-2)
        return (gates.unsqueeze(-1) * outputs).sum(dim=-2)


def tokens(rng, shape):
    return (torch.tensor(rng.standard_normal(shape)).float().requires_grad_(),)


def cases(rng):
    yield "Mixture()", tokens(rng, (6, 4)), {}
    yield "Mixture()", tokens(rng, (1, 4)), {}
