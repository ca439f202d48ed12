# expect: SPA403 safe scope=Relu.forward
# expect: SPA403 safe scope=Gated.forward
# expect: SPA403 safe scope=Stacked.forward
# expect: SPA403 safe scope=Given.forward
import torch
import torch.nn as nn
import torch.nn.functional as F


class Relu(nn.Module):
    def __init__(self, dim, hidden, count, chosen):
        super().__init__()
        self.chosen = chosen
        self.gate = nn.Linear(dim, count)
        self.up = nn.ModuleList([nn.Linear(dim, hidden) for _ in range(count)])
        self.down = nn.ModuleList([nn.Linear(hidden, dim) for _ in range(count)])

    def forward(self, x):
        best, places = self.gate(x).topk(self.chosen, dim=-1)
        zeros = torch.zeros(x.size(0), len(self.up), device=x.device)
        gates = zeros.scatter(1, places, best.softmax(-1))
        y = 0
        for e in range(len(self.up)):
            y = y + gates[:, e : e + 1] * self.down[e](F.relu(self.up[e](x)))
        return y


class Gated(nn.Module):
    def __init__(self, dim, hidden, count, chosen):
        super().__init__()
        self.chosen = chosen
        self.gate = nn.Linear(dim, count, bias=False)
        self.w1 = nn.ModuleList([nn.Linear(dim, hidden, bias=False) for _ in range(count)])
        self.w2 = nn.ModuleList([nn.Linear(hidden, dim, bias=False) for _ in range(count)])
        self.w3 = nn.ModuleList([nn.Linear(dim, hidden, bias=False) for _ in range(count)])

    def forward(self, x):
        shape = x.shape
        x = x.reshape(-1, shape[-1])
        shares, places = torch.topk(F.softmax(self.gate(x), dim=-1), self.chosen, dim=-1)
        out = torch.zeros_like(x)
        for i, (a, b, c) in enumerate(zip(self.w1, self.w2, self.w3)):
            h = F.silu(a(x)) * c(x)
            out = out + b(h) * (shares * (places == i)).sum(-1, keepdim=True)
        return out.view(shape)


class Stacked(nn.Module):
    def __init__(self, dim, count):
        super().__init__()
        self.route = nn.Linear(dim, count)
        self.first = nn.ModuleList(nn.Linear(dim, 2 * dim) for _ in range(count))
        self.second = nn.ModuleList(nn.Linear(2 * dim, dim) for _ in range(count))

    def forward(self, x):
        share, best = self.route(x).softmax(-1).max(dim=-1)
        outs = torch.stack([b(a(x).tanh()) for a, b in zip(self.first, self.second)], dim=1)
        picked = outs[torch.arange(outs.size(0)), best]
        return share.unsqueeze(-1) * picked


class Given(nn.Module):
    def __init__(self, dim, hidden, count, chosen):
        super().__init__()
        self.count = count
        self.chosen = chosen
        self.gate = nn.Linear(dim, count)
        self.fc1 = nn.ModuleList([nn.Linear(dim, hidden) for _ in range(count)])
        self.fc2 = nn.ModuleList([nn.Linear(hidden, dim) for _ in range(count)])

    def forward(self, x):
        shares, places = torch.topk(self.gate(x).softmax(-1), self.chosen, dim=-1)
        out = torch.zeros_like(x)
        for e in range(self.count):
            rows, slot = torch.where(places == e)
            if rows.numel() == 0:
                continue
            h = torch.relu(self.fc1[e](x[rows]))
            out.index_add_(0, rows, self.fc2[e](h) * shares[rows, slot, None])
        return out


def cases(rng):
    for n in (1, 7):
        x = torch.randn(n, 5, requires_grad=True)
        yield "Relu(5, 3, 5, 2)", (x,), {}
        yield "Gated(5, 3, 4, 2)", (torch.randn(2, n, 5, requires_grad=True),), {}
        yield "Stacked(5, 3)", (x,), {}
        yield "Given(5, 3, 6, 2)", (x,), {}
    yield "Gated(4, 3, 4, 1)", (torch.randn(3, 2, 4).transpose(0, 1),), {}
