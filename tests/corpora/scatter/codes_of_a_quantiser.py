# expect: SPA406 safe scope=Quantiser.forward
# expect: SPA401 safe scope=Quantiser.forward
import torch
from torch import nn


class Quantiser(nn.Module):
    def __init__(self, codes, size):
        super().__init__()
        self.codes = codes
        self.table = nn.Parameter(torch.randn(codes, size))

    def forward(self, flat):
        distances = torch.cdist(flat, self.table)
        places = distances.argmin(1).unsqueeze(1)
        hot = torch.zeros(places.shape[0], self.codes)
        hot.scatter_(1, places, 1)
        quantised = torch.matmul(hot, self.table)
        moved = torch.matmul(hot.t(), flat)
        return quantised, moved


def cases(rng):
    for rows in (7, 1):
        yield "Quantiser(4, 3)", (torch.randn(rows, 3),), {}
