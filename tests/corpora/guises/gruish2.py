# expect: ASC101 safe scope=GRUish.forward
# expect: ASC101 safe scope=GRUish.run2
import torch
import torch.nn as nn


class GRUish(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.f = nn.Linear(d, d)
        self.i = nn.Linear(d, d)
        self.h = None

    def cell(self, h, x):
        f = torch.sigmoid(self.f(x))
        return f * h + (1 - f) * self.i(x)

    def forward(self, x):
        B, T, D = x.shape
        self.h = torch.zeros(B, D)
        ys = []
        for t in range(T):
            self.h = torch.sigmoid(self.f(x[:, t])) * self.h + self.i(x[:, t])
            ys.append(self.h)
        return torch.stack(ys, dim=1)

    def run2(self, x):
        B, T, D = x.shape
        h = torch.zeros(B, D)
        ys = []
        for t in range(T):
            h = self.cell(h, x[:, t])
            ys.append(h)
        return torch.stack(ys, dim=1)


def gruish2(x):
    torch.manual_seed(1)
    m = GRUish(3)
    return m.run2(x)


def cases(rng):
    def G(*s):
        return torch.tensor(rng.standard_normal(s), dtype=torch.float32, requires_grad=True)

    yield "gruish2", (G(2, 7, 3),), {}
