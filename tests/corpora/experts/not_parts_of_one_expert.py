# refuse: SPA403 the second part is of another expert, or given what a gate scaled or what is random
import torch
import torch.nn as nn
import torch.nn.functional as F


class Reversed(nn.Module):
    def __init__(self, dim, hidden, count):
        super().__init__()
        self.gate = nn.Linear(dim, count)
        self.up = nn.ModuleList([nn.Linear(dim, hidden) for _ in range(count)])
        self.down = nn.ModuleList([nn.Linear(hidden, dim) for _ in range(count)])

    def forward(self, x):
        best, places = self.gate(x).topk(2, dim=-1)
        gates = torch.zeros(x.size(0), len(self.up)).scatter(1, places, best.softmax(-1))
        y = 0
        for e in range(len(self.up)):
            y = y + gates[:, e : e + 1] * self.down[-1 - e](F.relu(self.up[e](x)))
        return y


class Longer(nn.Module):
    def __init__(self, dim, hidden, count, more):
        super().__init__()
        self.gate = nn.Linear(dim, count)
        self.up = nn.ModuleList([nn.Linear(dim, hidden) for _ in range(count)])
        self.down = nn.ModuleList([nn.Linear(hidden, dim) for _ in range(more)])

    def forward(self, x):
        best, places = self.gate(x).topk(2, dim=-1)
        gates = torch.zeros(x.size(0), len(self.up)).scatter(1, places, best.softmax(-1))
        y = 0
        for e, (a, b) in enumerate(zip(self.up, self.down)):
            y = y + gates[:, e : e + 1] * b(F.relu(a(x)))
        return y


class Between(nn.Module):
    def __init__(self, dim, hidden, count):
        super().__init__()
        self.gate = nn.Linear(dim, count)
        self.up = nn.ModuleList([nn.Linear(dim, hidden) for _ in range(count)])
        self.down = nn.ModuleList([nn.Linear(hidden, dim) for _ in range(count)])

    def forward(self, x):
        best, places = self.gate(x).topk(2, dim=-1)
        gates = torch.zeros(x.size(0), len(self.up)).scatter(1, places, best.softmax(-1))
        y = 0
        for e in range(len(self.up)):
            y = y + self.down[e](gates[:, e : e + 1] * F.relu(self.up[e](x)))
        return y


class Random(nn.Module):
    def __init__(self, dim, hidden, count):
        super().__init__()
        self.gate = nn.Linear(dim, count)
        self.up = nn.ModuleList([nn.Linear(dim, hidden) for _ in range(count)])
        self.down = nn.ModuleList(
            [nn.Sequential(nn.Dropout(0.1), nn.Linear(hidden, dim)) for _ in range(count)]
        )

    def forward(self, x):
        best, places = self.gate(x).topk(2, dim=-1)
        gates = torch.zeros(x.size(0), len(self.up)).scatter(1, places, best.softmax(-1))
        y = 0
        for e in range(len(self.up)):
            y = y + gates[:, e : e + 1] * self.down[e](F.relu(self.up[e](x)))
        return y


class Named(nn.Module):
    def __init__(self, dim, count):
        super().__init__()
        self.gate = nn.Linear(dim, count)
        self.F = nn.ModuleList([nn.Linear(dim, dim) for _ in range(count)])
        self.down = nn.ModuleList([nn.Linear(dim, dim) for _ in range(count)])

    def forward(self, x):
        best, places = self.gate(x).topk(2, dim=-1)
        gates = torch.zeros(x.size(0), len(self.F)).scatter(1, places, best.softmax(-1))
        y = 0
        for e in range(len(self.F)):
            y = y + gates[:, e : e + 1] * self.down[e](F.relu(self.F[e](x)))
        return y


def cases(rng):
    x = torch.randn(6, 4)
    yield "Reversed(4, 3, 5)", (x,), {}
    yield "Longer(4, 3, 5, 7)", (x,), {}
    yield "Between(4, 3, 5)", (x,), {}
    yield "Random(4, 3, 5).eval()", (x,), {}
    yield "Named(4, 5)", (x,), {}
