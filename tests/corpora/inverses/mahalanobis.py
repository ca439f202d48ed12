# expect: RED507 safe scope=distance
# expect: RED507 safe scope=in_one_sum
# expect: RED507 safe scope=of_one
# expect: RED507 safe scope=of_arrays
import numpy as np
import torch


def distance(x, mean, covariance):
    n, d = x.shape
    d, _ = covariance.shape
    off = x - mean
    precision = torch.linalg.inv(covariance)
    return ((off @ precision) * off).sum(-1).sqrt()


def in_one_sum(x, mean, covariance):
    off = x - mean
    precision = torch.linalg.inv(covariance)
    return -0.5 * torch.einsum("bi,ij,bj->b", off, precision, off)


def of_one(off, covariance):
    return torch.einsum("i,ij,j->", off, covariance.inverse(), off)


def of_arrays(x, covariance):
    return np.einsum("ni,ij,nj->n", x, np.linalg.inv(covariance), x)


def cases(rng):
    a = torch.randn(3, 5)
    yield "distance", (torch.randn(6, 3, requires_grad=True), torch.randn(3), a @ a.T), {}
    yield "distance", (torch.randn(1, 1), torch.zeros(1), torch.ones(1, 1)), {}
    spread = rng.standard_normal((3, 3))
    spread = spread @ spread.T + np.eye(3)
    yield "of_arrays", (rng.standard_normal((6, 3)), spread), {}
    spread = torch.tensor(spread, requires_grad=True)
    off = torch.tensor(rng.standard_normal((4, 3)), requires_grad=True)
    yield "in_one_sum", (off, torch.zeros(3), spread), {}
    yield "of_one", (off[0].detach(), spread), {}
