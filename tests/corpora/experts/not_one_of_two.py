# refuse: SPA403 the mask is that of the first of two experts, of which nothing is known here
import torch
from torch import nn


class Routed(nn.Module):
    def __init__(self, size, count):
        super().__init__()
        self.count = count
        self.route = nn.Linear(size, count)
        self.experts = nn.ModuleList([nn.Linear(size, size) for _ in range(count)])

    def forward(self, tokens):
        which = self.route(tokens).topk(2, dim=1).indices
        result = torch.zeros_like(tokens)
        for number in range(self.count):
            mask = (which[:, 0] == number).float().unsqueeze(1)
            result += mask * self.experts[number](tokens)
        return result


def cases(rng):
    yield "Routed(4, 3)", (torch.randn(6, 4),), {}
