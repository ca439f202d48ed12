# expect: SPA403 advice scope=Mixture.forward
# refuse: SPA403 what the experts do is not in the file
import torch
from torch import nn


class Mixture(nn.Module):
    def __init__(self, experts, size):
        super().__init__()
        self.router = nn.Linear(size, len(experts))
        self.experts = nn.ModuleList(experts)

    def forward(self, x):
        scores = self.router(x)
        best, places = torch.topk(scores, 2, dim=-1)
        gates = torch.zeros_like(scores).scatter(-1, places, best.softmax(dim=-1))
        out = 0
        for i, expert in enumerate(self.experts):
            out = out + gates[..., i : i + 1] * expert(x)
        return out


def cases(rng):
    made = "Mixture([nn.BatchNorm1d(4), nn.Tanh(), nn.Linear(4, 4)], 4)"
    yield made, (torch.tensor(rng.standard_normal((3, 4))).float().requires_grad_(),), {}
