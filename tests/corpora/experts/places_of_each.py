# expect: SPA403 safe scope=ByPlaces.forward
# expect: SPA403 safe scope=ByOnlyPlaces.forward
# expect: SPA403 safe scope=ByColumn.forward
# expect: SPA403 safe scope=ByFlat.forward
# expect: SPA403 safe scope=ByMask.forward
import torch
from torch import nn


class ByPlaces(nn.Module):
    def __init__(self, size, count):
        super().__init__()
        self.router = nn.Linear(size, count)
        self.experts = nn.ModuleList([nn.Linear(size, size) for _ in range(count)])

    def forward(self, x):
        choice = self.router(x).argmax(dim=-1)
        y = torch.zeros_like(x)
        for i, expert in enumerate(self.experts):
            rows = torch.where(choice == i)[0]
            y[rows] = expert(x[rows])
        return y


class ByOnlyPlaces(nn.Module):
    def __init__(self, size, count):
        super().__init__()
        self.router = nn.Linear(size, count)
        self.experts = nn.ModuleList([nn.Linear(size, size) for _ in range(count)])

    def forward(self, x):
        choice = self.router(x).argmax(dim=-1)
        y = torch.zeros_like(x)
        for i, expert in enumerate(self.experts):
            (rows,) = (choice == i).nonzero(as_tuple=True)
            if len(rows) > 0:
                y[rows] = expert(x[rows])
        return y


class ByColumn(nn.Module):
    def __init__(self, size, count):
        super().__init__()
        self.router = nn.Linear(size, count)
        self.experts = nn.ModuleList([nn.Linear(size, size) for _ in range(count)])

    def forward(self, x):
        choice = self.router(x).argmax(dim=-1)
        y = torch.zeros_like(x)
        for i, expert in enumerate(self.experts):
            rows = torch.nonzero(choice.eq(i)).squeeze(-1)
            if rows.numel() == 0:
                continue
            y[rows] = expert(x[rows])
        return y


class ByFlat(nn.Module):
    def __init__(self, size, count):
        super().__init__()
        self.router = nn.Linear(size, count)
        self.experts = nn.ModuleList([nn.Linear(size, size) for _ in range(count)])

    def forward(self, x):
        share, choice = self.router(x).softmax(-1).max(-1)
        y = torch.zeros_like(x)
        for i, expert in enumerate(self.experts):
            rows = (choice == i).nonzero().flatten()
            y[rows] = expert(x[rows]) * share[rows].unsqueeze(-1)
        return y


class ByMask(nn.Module):
    def __init__(self, size, count):
        super().__init__()
        self.router = nn.Linear(size, count)
        self.experts = nn.ModuleList([nn.Linear(size, size) for _ in range(count)])

    def forward(self, x):
        share, choice = self.router(x).softmax(-1).max(-1)
        y = torch.zeros_like(x)
        for i, expert in enumerate(self.experts):
            mask = choice.eq(i)
            y[mask] = share[mask].unsqueeze(-1) * expert(x[mask])
        return y


def cases(rng):
    for shape in ((6, 4), (1, 4), (0, 4)):
        x = torch.tensor(rng.standard_normal(shape)).float().requires_grad_()
        yield "ByPlaces(4, 3)", (x,), {}
        yield "ByOnlyPlaces(4, 3)", (x,), {}
        yield "ByColumn(4, 3)", (x,), {}
        yield "ByFlat(4, 3)", (x,), {}
        yield "ByMask(4, 3)", (x,), {}
