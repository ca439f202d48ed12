# expect: RED507 safe scope=distance
import torch


def distance(x, mean, covariance):
    n, d = x.shape
    d, _ = covariance.shape
    off = x - mean
    precision = torch.linalg.inv(covariance)
    return ((off @ precision) * off).sum(-1).sqrt()


def cases(rng):
    a = torch.randn(3, 5)
    yield "distance", (torch.randn(6, 3, requires_grad=True), torch.randn(3), a @ a.T), {}
    yield "distance", (torch.randn(1, 1), torch.zeros(1), torch.ones(1, 1)), {}
