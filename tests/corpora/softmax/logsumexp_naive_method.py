# expect: ASC107 safe scope=FreeEnergy.forward
import torch
from torch import nn


class FreeEnergy(nn.Module):
    def __init__(self, visible, hidden):
        super().__init__()
        self.W = nn.Parameter(torch.randn(visible, hidden) * 0.1)

    def forward(self, v):
        scores = v @ self.W
        return -scores.exp().sum(dim=1).log()


def cases(rng):
    v = torch.tensor(rng.standard_normal((5, 4)), dtype=torch.float32, requires_grad=True)
    yield "FreeEnergy(4, 7)", (v,), {}
