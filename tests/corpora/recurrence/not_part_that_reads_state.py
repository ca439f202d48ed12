# refuse: the gate of the part reads the state
import torch
import torch.nn as nn


class Cell(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.gate = nn.Linear(2 * width, width)

    def forward(self, x, h):
        z = torch.sigmoid(self.gate(torch.cat((x, h), -1)))
        return z * h + (1 - z) * x


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
        return torch.stack(out)


def cases(rng):
    yield "Layer(3)", (torch.tensor(rng.random((5, 3)), dtype=torch.float32),), {}
