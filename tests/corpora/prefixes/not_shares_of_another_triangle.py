# refuse: ASC105 the rows are divided by other sums
import torch


def causal_mean(x):
    batch, steps, features = x.shape
    ones = torch.tril(torch.ones(steps, steps))
    fewer = torch.tril(torch.ones(steps, steps), diagonal=-1)
    return (ones / (1 + fewer).sum(1, keepdim=True)) @ x


def cases(rng):
    yield "causal_mean", (torch.randn(2, 5, 3, requires_grad=True),), {}
