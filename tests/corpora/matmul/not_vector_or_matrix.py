# refuse: whether `b` is a vector, whose product fills all of `s`, or a matrix is not known
import torch


def f(a, b):
    s = torch.zeros(3)
    for t in range(a.shape[0]):
        s += a[t] @ b
    return s


def cases(rng):
    yield "f", (torch.randn(5, 4), torch.randn(4)), {}
    yield "f", (torch.randn(5, 4), torch.randn(4, 3)), {}
