# expect: SPA403 safe scope=Heads.forward
import torch
from torch import nn


class Heads(nn.Module):
    def __init__(self, size=5, heads=4):
        super().__init__()
        self.score = nn.Linear(size, heads)
        self.heads = nn.ModuleList(
            [
                nn.Linear(size, 2),
                nn.Linear(size, 2),
                nn.Sequential(nn.Linear(size, 3), nn.SiLU(), nn.Linear(3, 2)),
                nn.Linear(size, 2, bias=False),
            ]
        )

    def forward(self, x):
        n, size = x.shape
        scores = self.score(x)
        values, places = torch.max(scores, dim=-1, keepdim=True)
        gate = torch.zeros_like(scores).scatter(1, places, values)
        every = torch.stack([head(x) for head in self.heads], dim=-1)
        return (every * gate[:, None, :]).sum(dim=-1)


def tokens(rng, shape):
    return (torch.tensor(rng.standard_normal(shape)).float().requires_grad_(),)


def cases(rng):
    yield "Heads()", tokens(rng, (6, 5)), {}
    yield "Heads()", tokens(rng, (1, 5)), {}
    yield "Heads()", tokens(rng, (3, 5)), {}
