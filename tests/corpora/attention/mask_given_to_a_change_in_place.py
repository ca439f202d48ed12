# expect: ASC109 safe scope=Causal.forward
import torch
import torch.nn as nn


class Causal(nn.Module):
    def __init__(self, width: int, longest: int):
        super().__init__()
        self.project = nn.Linear(width, 3 * width)
        nn.init.xavier_uniform_(self.project.weight)
        self.register_buffer("mask", torch.triu(torch.ones(longest, longest), diagonal=1))

    def forward(self, x):
        b, n, d = x.shape
        q, k, v = self.project(x).chunk(3, dim=-1)
        scores = q @ k.transpose(1, 2)
        scores.masked_fill_(self.mask.bool()[:n, :n], -torch.inf)
        return torch.softmax(scores / d**0.5, dim=-1) @ v


def cases(rng):
    for n in (5, 1):
        x = torch.from_numpy(rng.normal(size=(2, n, 4))).float().requires_grad_()
        yield "Causal(4, 6)", (x,), {}
