# expect: SPA403 safe scope=Weighed.forward
# expect: SPA403 safe scope=Masked.forward
# expect: SPA403 safe scope=Where.forward
# expect: SPA403 safe scope=Over.forward
# expect: SPA403 safe scope=Places.forward
# may: RED506 unsafe scope=Where.forward
import torch
import torch.nn as nn


class Weighed(nn.Module):
    def __init__(self, d, n):
        super().__init__()
        self.router = nn.Linear(d, n)
        self.experts = nn.ModuleList([nn.Linear(d, d) for _ in range(n)])

    def forward(self, x):
        p = torch.softmax(self.router(x), dim=-1)
        gate, choice = p.max(dim=-1)
        out = torch.zeros_like(x)
        for i, expert in enumerate(self.experts):
            mask = (choice == i).unsqueeze(-1)
            out = out + mask * expert(x) * gate.unsqueeze(-1)
        return out


class Masked(nn.Module):
    def __init__(self, d, n):
        super().__init__()
        self.router = nn.Linear(d, n)
        self.experts = nn.ModuleList([nn.Linear(d, d) for _ in range(n)])

    def forward(self, x):
        p = torch.softmax(self.router(x), dim=-1)
        gate, choice = torch.max(p, dim=-1)
        out = torch.zeros_like(x)
        for i, expert in enumerate(self.experts):
            mask = (choice == i).float().unsqueeze(-1)
            out = out + mask * gate.unsqueeze(-1) * expert(x)
        return out


class Where(nn.Module):
    def __init__(self, d, n):
        super().__init__()
        self.router = nn.Linear(d, n)
        self.experts = nn.ModuleList([nn.Linear(d, d) for _ in range(n)])

    def forward(self, x):
        p = torch.softmax(self.router(x), dim=-1)
        choice = p.argmax(dim=-1)
        out = torch.zeros_like(x)
        for i, expert in enumerate(self.experts):
            mask = (choice == i)[..., None]
            out += torch.where(mask, expert(x), torch.zeros_like(x))
        return out


class Over(nn.Module):
    def __init__(self, d, n):
        super().__init__()
        self.router = nn.Linear(d, n)
        self.experts = nn.ModuleList([nn.Linear(d, d) for _ in range(n)])

    def forward(self, x):
        choice = self.router(x).argmax(dim=-1)
        out = torch.zeros_like(x)
        for i, expert in enumerate(self.experts):
            out = torch.where((choice == i).unsqueeze(-1), expert(x), out)
        return out


class Places(nn.Module):
    def __init__(self, d, n):
        super().__init__()
        self.router = nn.Linear(d, n)
        self.experts = nn.ModuleList([nn.Linear(d, d) for _ in range(n)])

    def forward(self, x):
        weights, choice = torch.softmax(self.router(x), -1).topk(1, dim=-1)
        out = torch.zeros_like(x)
        for i, expert in enumerate(self.experts):
            out = out + (choice == i) * weights * expert(x)
        return out


def cases(rng):
    for name in ("Weighed", "Masked", "Where", "Over", "Places"):
        for shape in ((2, 5, 4), (6, 4), (1, 4)):
            yield f"{name}(4, 3)", (torch.randn(shape, requires_grad=True),), {}
