# expect: ASC105 safe scope=causal_mean
import torch


def causal_mean(x):
    batch, steps, features = x.shape
    weights = torch.tril(torch.ones(steps, steps))
    weights = weights / weights.sum(1, keepdim=True)
    return weights @ x


def cases(rng):
    yield "causal_mean", (torch.randn(2, 5, 3, requires_grad=True),), {}
    yield "causal_mean", (torch.randn(2, 1, 3, requires_grad=True),), {}
