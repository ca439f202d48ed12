# refuse: SPA407 the gradient is sparse already
import torch
from torch import nn


class Tokens(nn.Module):
    def __init__(self):
        super().__init__()
        self.table = nn.Embedding(100_000, 2, sparse=True)

    def forward(self, tokens):
        return self.table(tokens).detach()


def cases(rng):
    yield "Tokens()", (torch.tensor(rng.integers(0, 9, (2, 3))),), {}
