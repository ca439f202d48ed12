# expect: SPA407 advice scope=Tokens.__init__
import torch
from torch import nn


class Tokens(nn.Module):
    def __init__(self):
        super().__init__()
        self.table = nn.Embedding(100_000, 2)

    def forward(self, tokens):
        return self.table(tokens)


def cases(rng):
    yield "Tokens()", (torch.tensor(rng.integers(0, 9, (2, 3))),), {}
