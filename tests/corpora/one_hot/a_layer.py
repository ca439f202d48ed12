# expect: SPA401 unsafe scope=Tokens.forward
# expect: SPA401 unsafe scope=Tokens.shifted
import torch
import torch.nn.functional as F
from torch import nn


class Tokens(nn.Module):
    def __init__(self, words: int, size: int):
        super().__init__()
        self.words = words
        self.table = nn.Linear(words, size, bias=False)
        self.moved = nn.Linear(words, size)

    def forward(self, tokens):
        rows = F.one_hot(tokens, num_classes=self.words)
        return self.table(rows.float())

    def shifted(self, tokens):
        return self.moved(F.one_hot(tokens, self.words).to(self.moved.weight.dtype)).relu()


def cases(rng):
    tokens = torch.tensor(rng.integers(0, 5, (2, 3)))
    yield "Tokens(5, 3)", (tokens,), {}
    yield "Tokens(5, 3).shifted", (tokens,), {}
