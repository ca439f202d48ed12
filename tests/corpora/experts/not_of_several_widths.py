# refuse: SPA403 the experts give results of several widths
import torch
from torch import nn


class Mixture(nn.Module):
    def __init__(self, size=4, count=5):
        super().__init__()
        self.router = nn.Linear(size, count)
        self.experts = nn.ModuleList(
            nn.Linear(size, size if place % 2 else 1) for place in range(count)
        )

    def forward(self, x):
        scores = self.router(x).softmax(dim=-1)
        best, places = scores.topk(2, dim=-1)
        gates = torch.zeros_like(scores).scatter(-1, places, best)
        total = torch.zeros_like(x)
        for number, expert in enumerate(self.experts):
            total = total + gates[:, number, None] * expert(x)
        return total


def tokens(rng, shape):
    return (torch.tensor(rng.standard_normal(shape)).float().requires_grad_(),)


def cases(rng):
    yield "Mixture()", tokens(rng, (6, 4)), {}
    yield "Mixture()", tokens(rng, (2, 4)), {}
