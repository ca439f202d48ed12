# refuse: ASC105 the columns are divided by their sums
import torch


def causal_mean(x):
    batch, steps, features = x.shape
    weights = torch.tril(torch.ones(steps, steps))
    weights = weights / weights.sum(0, keepdim=True)
    return weights @ x


def cases(rng):
    yield "causal_mean", (torch.randn(2, 5, 3, requires_grad=True),), {}
