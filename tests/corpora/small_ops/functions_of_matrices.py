# expect: LOC301 safe scope=products
# expect: LOC306 safe scope=solved
# expect: LOC306 safe scope=solved_for_rows
# expect: LOC306 safe scope=determinants
# expect: LOC301 safe scope=drawn
# expect: LOC306 safe scope=softened
# expect: LOC306 safe scope=whitened
# expect: LOC306 safe scope=shares
# expect: LOC306 safe scope=scaled
# expect: LOC301 safe scope=projected
# may: ASC107 safe scope=softened
import math

import numpy as np
import torch
import torch.nn.functional as F


def products(A: np.ndarray, b: np.ndarray):
    """A: (N, d, d), b: (N, d)"""
    out = np.zeros(b.shape)
    for i in range(len(A)):
        out[i] = np.linalg.inv(A[i]) @ b[i]
    return out


def solved(A: torch.Tensor, B: torch.Tensor):
    """A: (N, d, d), B: (N, d, k)"""
    out = torch.zeros_like(B)
    for i in range(A.shape[0]):
        out[i] = torch.linalg.solve(A[i], B[i])
    return out


def solved_for_rows(A: torch.Tensor, b: torch.Tensor):
    """A: (d, d), b: (N, d)"""
    return torch.stack([torch.linalg.solve(A, row) for row in b])


def determinants(A: np.ndarray):
    """A: (N, d, d)"""
    return np.array([np.linalg.det(A[i]) for i in range(A.shape[0])])


def drawn(S: np.ndarray, z: np.ndarray):
    """S: (N, d, d), z: (N, d)"""
    rows = []
    for i in range(S.shape[0]):
        rows.append(np.linalg.cholesky(S[i]) @ z[i])
    return np.stack(rows)


def softened(x: torch.Tensor):
    """x: (N, k, d)"""
    out = torch.empty_like(x)
    for i in range(x.shape[0]):
        out[i] = F.softmax(x[i], dim=0) * 2
    return out


def whitened(batch: torch.Tensor):
    """batch: (B, C, H, W)"""
    out = torch.empty_like(batch)
    for b in range(batch.size(0)):
        mean = batch[b].mean()
        spread = batch[b].std()
        out[b] = (batch[b] - mean) / (spread + 1e-5)
    return out


def shares(x: np.ndarray):
    """x: (N, k)"""
    out = np.zeros(x.shape)
    for i in range(x.shape[0]):
        out[i] = np.cumsum(x[i]) / x[i].prod()
    return out


def scaled(x: np.ndarray):
    """x: (N, k)"""
    out = np.zeros(x.shape)
    for i in range(x.shape[0]):
        out[i] = x[i] * (x.shape[0] / x.shape[1]) / math.sqrt(len(x))
    return out


def projected(x: np.ndarray, W: np.ndarray):
    """x: (N, k), W: (k, d)"""
    out = np.zeros((len(x), W.shape[1]))
    for i in range(x.shape[0]):
        out[i] = x[i] @ W / np.sqrt(x.shape[1])
    return out


def cases(rng):
    def definite(n, d):
        a = rng.normal(size=(n, d, d))
        return a @ a.transpose(0, 2, 1) + np.eye(d)

    for n in (5, 1):
        A, b, x = definite(n, 3), rng.normal(size=(n, 3)), rng.random((n, 4)) + 0.5
        yield "products", (A, b), {}
        B = torch.from_numpy(rng.normal(size=(n, 3, 2))).requires_grad_()
        yield "solved", (torch.from_numpy(A).requires_grad_(), B), {}
        rows = torch.from_numpy(b).requires_grad_()
        yield "solved_for_rows", (torch.from_numpy(A[0]).requires_grad_(), rows), {}
        yield "determinants", (A,), {}
        yield "drawn", (A, b), {}
        yield "softened", (torch.randn(n, 4, 3, requires_grad=True),), {}
        yield "whitened", (torch.randn(n, 2, 3, 3, requires_grad=True),), {}
        yield "shares", (x,), {}
        yield "scaled", (x,), {}
        yield "projected", (x, rng.normal(size=(4, 2))), {}
