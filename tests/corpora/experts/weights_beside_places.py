# expect: SPA403 safe scope=CompileFriendly.forward
import torch
from torch import nn


class FeedForward(nn.Module):
    def __init__(self, width, hidden):
        super().__init__()
        self.up = nn.Linear(width, hidden)
        self.act = nn.ReLU()
        self.down = nn.Linear(hidden, width)

    def forward(self, x):
        return self.down(self.act(self.up(x)))


class CompileFriendly(nn.Module):
    def __init__(self, width=4, count=6, k=3):
        super().__init__()
        self.k = k
        self.router = nn.Linear(width, count)
        self.experts = nn.ModuleList([FeedForward(width, 7) for _ in range(count)])

    def route(self, x):
        return self.router(x).sigmoid().topk(self.k, dim=-1)

    def forward(self, hidden):
        shape = hidden.shape
        hidden = hidden.view(-1, shape[-1])
        scores, chosen = self.route(hidden)
        scores = scores / scores.sum(-1, keepdim=True)
        out = torch.zeros_like(hidden)
        for i, expert in enumerate(self.experts):
            coefficient = torch.where(chosen == i, scores, 0.0).sum(dim=-1)
            out += coefficient.unsqueeze(-1) * expert(hidden)
        return out.view(shape)


def tokens(rng, shape):
    return (torch.tensor(rng.standard_normal(shape)).float().requires_grad_(),)


def cases(rng):
    yield (
        "CompileFriendly()",
        tokens(rng, (2, 3, 4)),
        {},
    )
    yield (
        "CompileFriendly()",
        tokens(rng, (1, 1, 4)),
        {},
    )
    yield (
        "CompileFriendly()",
        tokens(rng, (8, 4)),
        {},
    )
