# expect: SPA403 safe scope=Filled.forward
# expect: SPA403 safe scope=Numbered.forward
# expect: SPA403 safe scope=Named.forward
# expect: SPA403 safe scope=Parts.forward
import torch
from torch import nn


class Filled(nn.Module):
    def __init__(self, size=6, count=4):
        super().__init__()
        self.router = nn.Linear(size, count)
        self.experts = nn.ModuleDict()
        for idx in range(count):
            self.experts[f"expert_{idx}"] = nn.Sequential(nn.Linear(size, size), nn.ReLU())

    def forward(self, x):
        probs, best = self.router(x).softmax(-1).max(dim=-1)
        out = torch.zeros_like(x)
        for idx, expert in enumerate(self.experts.values()):
            mine = best == idx
            out[mine] = expert(x[mine]) * probs[mine].unsqueeze(-1)
        return out


class Numbered(nn.Module):
    def __init__(self, size=6, count=4, chosen=2):
        super().__init__()
        self.count, self.chosen = count, chosen
        self.router = nn.Linear(size, count)
        self.experts = nn.ModuleDict({str(i): nn.Linear(size, size) for i in range(count)})

    def forward(self, x):
        w, ids = self.router(x).softmax(-1).topk(self.chosen, dim=-1)
        out = torch.zeros_like(x)
        for i in range(self.count):
            share = (w * (ids == i)).sum(-1, keepdim=True)
            out = out + share * self.experts[str(i)](x)
        return out


class Named(nn.Module):
    def __init__(self, size=6):
        super().__init__()
        self.adapters = nn.ModuleDict({"a": nn.Linear(size, size), "b": nn.Linear(size, size)})
        self.router = nn.Linear(size, 2)

    def forward(self, x):
        w, ids = self.router(x).softmax(-1).topk(1, dim=-1)
        outs = []
        for name in self.adapters:
            outs.append(self.adapters[name](x))
        gates = torch.zeros(x.shape[0], 2, device=x.device).scatter_(1, ids, w)
        return (torch.stack(outs, 1) * gates.unsqueeze(-1)).sum(1)


class Parts(nn.Module):
    def __init__(self, size=6, rank=2, count=3):
        super().__init__()
        self.count = count
        self.down = nn.ModuleDict({f"t{i}": nn.Linear(size, rank) for i in range(count)})
        self.up = nn.ModuleDict({f"t{i}": nn.Linear(rank, size) for i in range(count)})
        self.router = nn.Linear(size, count)

    def forward(self, x):
        ids = self.router(x).argmax(-1)
        out = torch.zeros_like(x)
        for i in range(self.count):
            rows = (ids == i).nonzero(as_tuple=True)[0]
            if len(rows):
                out[rows] += self.up[f"t{i}"](self.down[f"t{i}"](x[rows]))
        return out


def tokens(rng, shape):
    return (torch.tensor(rng.standard_normal(shape)).float().requires_grad_(),)


def cases(rng):
    yield "Filled()", tokens(rng, (7, 6)), {}
    yield "Filled()", tokens(rng, (1, 6)), {}
    yield "Numbered()", tokens(rng, (7, 6)), {}
    yield "Numbered()", tokens(rng, (1, 6)), {}
    yield "Named()", tokens(rng, (7, 6)), {}
    yield "Named()", tokens(rng, (1, 6)), {}
    yield "Parts()", tokens(rng, (7, 6)), {}
    yield "Parts()", tokens(rng, (1, 6)), {}
