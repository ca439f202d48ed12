# expect: RED505 unsafe scope=latest
# expect: RED505 unsafe scope=width
# expect: RED505 safe scope=smallest
# expect: RED505 safe scope=longest
# expect: RED505 safe scope=middle
# expect: RED505 unsafe scope=ranked
# expect: RED505 unsafe scope=nearest
# expect: RED505 unsafe scope=winner
# expect: RED505 unsafe scope=quantile
import numpy as np
import torch


def latest(times):
    ordered = sorted(times)
    return ordered[-1]


def width(values):
    down = sorted(values, reverse=True)
    return down[0] - down[-1]


def smallest(values):
    own = list(values)
    own.sort()
    return own[0]


def longest(words: list[str]):
    own = words[:]
    own.sort(key=len, reverse=True)
    return own[0] + "!"


def middle(x: np.ndarray):
    (n,) = x.shape
    ordered = np.sort(x)
    return (ordered[(ordered.size - 1) // 2] + ordered[len(ordered) // 2]) / 2


def ranked(x: torch.Tensor, k: int):
    batch, n = x.shape
    return torch.sort(x, dim=1).values[:, k]


def nearest(distances: np.ndarray):
    queries, points = distances.shape
    order = np.argsort(distances, axis=1)
    return order[:, 0]


def winner(scores: torch.Tensor):
    batch, n = scores.shape
    return scores.argsort(dim=-1, descending=True)[:, 0], scores.sort(dim=1).indices[:, -1]


def quantile(x: np.ndarray):
    (n,) = x.shape
    return x[np.argsort(x)[n // 4]]


def cases(rng):
    yield "latest", ([3, 1, 2],), {}
    yield "width", ([3.0, 1.0, 2.0],), {}
    yield "smallest", ((4, 2, 2),), {}
    yield "longest", (["a", "bcd", "efg"],), {}
    for n in (1, 4, 7):
        yield "middle", (rng.standard_normal(n),), {}
        yield "ranked", (torch.randn(3, n), n - 1), {}
        yield "nearest", (rng.standard_normal((3, n)),), {}
        yield "winner", (torch.randn(2, n),), {}
        yield "quantile", (rng.standard_normal(n),), {}
