# expect: ASC109 safe scope=Pooling.forward
import torch
from torch import nn


class Pooling(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.query = nn.Parameter(torch.randn(width))
        self.key = nn.Linear(width, width)
        self.value = nn.Linear(width, width)
        self.width = width

    def forward(self, x):
        k = self.key(x)
        v = self.value(x)
        score = (k @ self.query) * self.width**-0.5
        alpha = score.softmax(dim=1)
        return (alpha.unsqueeze(-1) * v).sum(dim=1)


def cases(rng):
    def draw(*shape):
        return torch.tensor(rng.standard_normal(shape), dtype=torch.float32).requires_grad_()

    for length in (1, 5):
        yield "Pooling(6)", (draw(3, length, 6),), {}
