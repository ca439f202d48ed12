# refuse: of what an expert gives one number is gathered, or three
import torch
from torch import nn


class Mixture(nn.Module):
    def __init__(self, size, count):
        super().__init__()
        self.gate = nn.Linear(size, count)
        self.experts = nn.ModuleList(
            [nn.Sequential(nn.Linear(size, 5), nn.GELU(), nn.Linear(5, size)) for _ in range(count)]
        )

    def one(self, x):
        weights, places = self.gate(x).softmax(dim=-1).topk(2, dim=-1)
        outputs = torch.stack([expert(x) for expert in self.experts], dim=1)
        best = outputs.gather(1, places.unsqueeze(-1))
        return (best * weights.unsqueeze(-1)).sum(dim=1)

    def three(self, x):
        weights, places = self.gate(x).softmax(dim=-1).topk(2, dim=-1)
        outputs = torch.stack([expert(x) for expert in self.experts], dim=1)
        best = outputs.gather(1, places.unsqueeze(-1).expand(-1, -1, 3))
        return (best * weights.unsqueeze(-1)).sum(dim=1)


def cases(rng):
    for name in ("one", "three"):
        yield f"Mixture(4, 5).{name}", (torch.randn(7, 4, requires_grad=True),), {}
