# refuse: the part counts its calls
import torch
import torch.nn as nn


class Cell(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.decay = nn.Parameter(torch.rand(width))
        self.calls = 0

    def forward(self, x, h):
        self.calls += 1
        return self.decay * h + x


class Layer(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.cell = Cell(width)

    def forward(self, xs):
        h = torch.zeros_like(xs[0])
        out = []
        for x in xs.unbind(0):
            h = self.cell(x, h)
            out.append(h)
        return torch.stack(out), self.cell.calls


def cases(rng):
    yield "Layer(3)", (torch.tensor(rng.random((5, 3)), dtype=torch.float32),), {}
