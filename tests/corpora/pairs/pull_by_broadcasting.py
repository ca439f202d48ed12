# expect: LOC305 safe scope=Cluster.forward
"""Plummer spheres in a module: masses and the width are its own."""

import torch
from torch import nn


class Cluster(nn.Module):
    def __init__(self, count: int, width: float = 0.05):
        super().__init__()
        self.masses = nn.Parameter(torch.rand(count))
        self.width = width

    def forward(self, places: torch.Tensor) -> torch.Tensor:
        n, d = places.shape
        towards = places.view(1, n, d) - places.view(n, 1, d)
        squared = torch.einsum("ijk,ijk->ij", towards, towards) + self.width * self.width
        weights = self.masses.unsqueeze(0) / (squared * squared.sqrt())
        return torch.sum(weights.unsqueeze(-1) * towards, dim=1)


def cases(rng):
    for n, d in ((7, 3), (1, 2), (5, 5)):
        places = torch.tensor(rng.standard_normal((n, d)), dtype=torch.float32)
        yield f"Cluster({n})", (places.requires_grad_(),), {}
