# expect: SPA403 safe scope=Layer.forward
import torch
import torch.nn as nn


class Layer(nn.Module):
    def __init__(self, dim=5, n=4, k=2):
        super().__init__()
        self.k = k
        self.router = nn.Linear(dim, n)
        self.branches = nn.ModuleList([nn.Linear(dim, 3) for _ in range(n)])

    def forward(self, tokens):
        scores = self.router(tokens)
        chosen = scores.topk(self.k, dim=-1).indices
        mask = torch.zeros_like(scores, dtype=torch.bool)
        mask.scatter_(-1, chosen, True)
        weights = scores.masked_fill(~mask, float("-inf")).softmax(dim=-1)
        total = 0
        for number, branch in enumerate(self.branches):
            total = total + weights[..., number : number + 1] * branch(tokens)
        return total


def tokens(rng, shape):
    return (torch.tensor(rng.standard_normal(shape)).float().requires_grad_(),)


def cases(rng):
    yield "Layer()", tokens(rng, (6, 5)), {}
    yield "Layer()", tokens(rng, (2, 3, 5)), {}
    yield "Layer()", tokens(rng, (1, 5)), {}
