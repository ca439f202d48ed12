# expect: ASC105 safe scope=cumulated
import torch


def cumulated(x):
    n = x.shape[1]
    triangle = torch.tril(torch.ones(n, n))
    return torch.matmul(triangle, x)


def cases(rng):
    yield "cumulated", (torch.randn(2, 5, 3, requires_grad=True),), {}
    yield "cumulated", (torch.randn(4, 4, requires_grad=True),), {}
    yield "cumulated", (torch.randn(1, 1, 2, requires_grad=True),), {}
