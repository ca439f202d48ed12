# expect: ASC101 safe scope=Smooth.forward
# The gain has a first axis of extent 1: of a row that has fewer axes it makes one with as many.
import torch
import torch.nn as nn


class Smooth(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.decay = nn.Parameter(torch.rand(width))
        self.gain = nn.Parameter(torch.ones(1, width))

    def forward(self, x):
        h = torch.zeros_like(x[0])
        outs = []
        for t in range(x.shape[0]):
            h = self.decay * h + self.gain * x[t]
            outs.append(h)
        return torch.stack(outs)


def cases(rng):
    for shape in ((5, 3), (5, 2, 3), (1, 2, 2, 3)):
        yield "Smooth(3)", (torch.tensor(rng.random(shape), dtype=torch.float32),), {}
