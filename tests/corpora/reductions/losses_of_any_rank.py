# expect: ASC106 safe scope=cross_entropy
# expect: ASC106 safe scope=distance
# expect: ASC106 safe scope=mean_distance
# expect: ASC106 safe scope=scaled
import numpy as np
import torch


def cross_entropy(p, y):
    loss = 0.0
    for i in range(p.shape[0]):
        loss -= y[i] * np.log(p[i]) + (1 - y[i]) * np.log(1 - p[i])
    return loss / p.shape[0]


def distance(a: np.ndarray, b: np.ndarray):
    total = 0.0
    for i in range(len(a)):
        total += abs(a[i] - b[i])
    return total


def mean_distance(a: torch.Tensor, b: torch.Tensor):
    total = 0.0
    for i in range(a.shape[0]):
        total += torch.abs(a[i] - b[i]) / a.shape[0]
    return total


def scaled(a: np.ndarray, b: np.ndarray, by: float):
    total = 0.0
    for i in range(len(a)):
        total += np.exp(a[i]) * b[i] * by
    return total


def cases(rng):
    for shape in ((1,), (5,), (5, 5), (4, 3)):
        p, y = rng.random(size=shape) * 0.8 + 0.1, rng.integers(0, 2, size=shape).astype(float)
        yield "cross_entropy", (p, y), {}
        yield "distance", (p, y), {}
        yield "distance", (p, y.sum(axis=tuple(range(1, len(shape))))), {}
        yield "scaled", (p[..., None], y, 2), {}
        a, b = torch.tensor(p, requires_grad=True), torch.tensor(y, requires_grad=True)
        yield "mean_distance", (a, b), {}
