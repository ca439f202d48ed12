# expect: SEP202 safe scope=reflected
# expect: SEP202 safe scope=updated
# expect: SEP202 advice scope=Householder.forward
import numpy as np
import torch
from torch import nn


def reflected(v: np.ndarray, x: np.ndarray):
    (n,) = v.shape
    (n,) = x.shape
    return (np.eye(len(v)) - 2.0 * np.outer(v, v) / np.dot(v, v)) @ x


def updated(h: np.ndarray, s: np.ndarray, y: np.ndarray, g: np.ndarray):
    n, m = h.shape
    (n,) = s.shape
    (m,) = y.shape
    (m,) = g.shape
    changed = h - np.outer(s, y) / 4
    return changed @ g


class Householder(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.v = nn.Parameter(torch.randn(size))

    def forward(self, z):
        eye = torch.eye(self.v.shape[0])
        h = eye - 2 * torch.outer(self.v, self.v) / (self.v * self.v).sum()
        return z @ h


def cases(rng):
    for n, m in ((5, 4), (1, 2)):
        yield "reflected", (rng.normal(size=n), rng.normal(size=n)), {}
        shapes = ((n, m), (n,), (m,), (m,))
        yield "updated", tuple(rng.normal(size=shape) for shape in shapes), {}
        yield f"Householder({n})", (torch.randn(m, n, requires_grad=True),), {}
