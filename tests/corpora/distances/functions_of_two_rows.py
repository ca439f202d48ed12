# expect: SEP205 safe scope=gram
# expect: SEP205 safe scope=listed
# expect: SEP205 safe scope=Process.covariance
# expect: SEP205 safe scope=weighted
# expect: LOC306 safe scope=similarity
"""What a step computes stands in functions of its own."""

import numpy as np
import torch


def squared(a, b):
    difference = a - b
    return np.dot(difference, difference)


def kernel(a, b, gamma=0.5):
    """The Gaussian kernel of two rows."""
    return np.exp(-gamma * squared(a, b))


def gram(x: np.ndarray, y: np.ndarray):
    n, _ = x.shape
    m, _ = y.shape
    out = np.zeros((n, m))
    for i in range(n):
        for j in range(m):
            out[i, j] = kernel(x[i], y[j], gamma=1 / n)
    return out


def listed(x: np.ndarray, y: np.ndarray):
    n, _ = x.shape
    m, _ = y.shape
    return np.array([[squared(a, b) for b in y] for a in x])


class Process:
    def __init__(self, scale):
        self.scale = scale

    def kernel(self, a, b):
        return self.scale * np.exp(-np.sum((a - b) ** 2))

    def covariance(self, x: np.ndarray, y: np.ndarray):
        n, _ = x.shape
        m, _ = y.shape
        out = np.zeros((n, m))
        for i in range(n):
            for j in range(m):
                out[i, j] = self.kernel(x[i], y[j])
        return out


def decay(distance, scale):
    return np.exp(-distance / scale)


def weighted(x: np.ndarray, y: np.ndarray, scale: float):
    n, _ = x.shape
    m, _ = y.shape
    out = np.zeros((n, m))
    for i, a in enumerate(x):
        for j, b in enumerate(y):
            difference = squared(a, b)
            out[i, j] = decay(difference, scale)
    return out


def cosine(a, b):
    return (a * b).sum() / (a.norm() * b.norm() + 1e-8)


def similarity(x: torch.Tensor):
    n, _ = x.shape
    out = torch.zeros(n, n)
    for i in range(n):
        for j in range(n):
            out[i, j] = cosine(x[i], x[j])
    return out


def cases(rng):
    for n, m, d in ((5, 4, 3), (1, 1, 1), (2, 7, 1)):
        x, y = rng.normal(size=(n, d)), rng.normal(size=(m, d))
        yield "gram", (x, y), {}
        yield "listed", (x, y), {}
        yield "Process(0.7).covariance", (x, y), {}
        yield "weighted", (x, y, 0.7), {}
        yield "similarity", (torch.tensor(x, dtype=torch.float32, requires_grad=True),), {}
