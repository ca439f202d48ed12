# expect: SPA401 safe scope=Encoder.forward
import torch
import torch.nn.functional as F
from torch import nn


class Encoder(nn.Module):
    def __init__(self, vocabulary: int, width: int):
        super().__init__()
        self.vocabulary = vocabulary
        self.weight = nn.Parameter(torch.randn(vocabulary, width))

    def forward(self, tokens):
        one_hot = F.one_hot(tokens, num_classes=self.vocabulary).to(self.weight.dtype)
        return torch.tanh(torch.matmul(one_hot, self.weight))


def cases(rng):
    yield "Encoder(7, 3)", (torch.tensor([[0, 6, 2], [2, 2, 2]]),), {}
    yield "Encoder(1, 1)", (torch.tensor([0]),), {}
