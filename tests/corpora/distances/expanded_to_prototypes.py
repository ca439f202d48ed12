# expect: SEP205 safe scope=euclidean_dist
import torch


def euclidean_dist(x, y):
    n = x.size(0)
    m = y.size(0)
    d = x.size(1)
    assert d == y.size(1)
    x = x.unsqueeze(1).expand(n, m, d)
    y = y.unsqueeze(0).expand(n, m, d)
    return torch.pow(x - y, 2).sum(2)


def cases(rng):
    yield (
        "euclidean_dist",
        (
            torch.randn(5, 4, requires_grad=True),
            torch.randn(6, 4, requires_grad=True),
        ),
        {},
    )
