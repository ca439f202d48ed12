# expect: ASC101 unsafe scope=Encoder.forward
# The step is a module of its own, made by the constructor.
import torch
import torch.nn as nn


class GatedCell(nn.Module):
    def __init__(self, inputs, width):
        super().__init__()
        self.gate = nn.Linear(inputs, width)
        self.candidate = nn.Linear(inputs, width)

    def forward(self, x, h):
        z = torch.sigmoid(self.gate(x))
        new = self.candidate(x)
        return (1 - z) * h + z * new


class Encoder(nn.Module):
    def __init__(self, inputs=3, width=4):
        super().__init__()
        self.width = width
        self.cell = GatedCell(inputs, width)

    def forward(self, x):
        batch, steps, _ = x.shape
        h = torch.zeros(batch, self.width)
        out = []
        for t in range(steps):
            h = self.cell(x[:, t], h)
            out.append(h)
        return torch.stack(out, dim=1), h


def cases(rng):
    for n in (1, 6):
        x = torch.tensor(rng.random((2, n, 3)), dtype=torch.float32, requires_grad=True)
        yield "Encoder()", (x,), {}
