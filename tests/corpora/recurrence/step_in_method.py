# expect: ASC101 safe scope=Cell.forward
import torch
from torch import nn


class Cell(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.decay = nn.Parameter(torch.rand(d))
        self.proj = nn.Linear(d, d)

    def step(self, h, xt):
        return torch.sigmoid(self.decay) * h + self.proj(xt)

    def forward(self, x):
        h = x.new_zeros(x.shape[0], x.shape[2])
        outs = []
        for t in range(x.shape[1]):
            h = self.step(h, x[:, t])
            outs.append(h)
        return torch.stack(outs, dim=1)


def draw(rng, *shape, grad=True, dtype=torch.float32):
    x = torch.tensor(rng.standard_normal(shape), dtype=dtype)
    return x.requires_grad_() if grad else x


def cases(rng):
    for n in (1, 5):
        yield "Cell(3)", (draw(rng, 2, n, 3),), {}
