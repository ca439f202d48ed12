# refuse: options, flattened places, steps that need the one before
import numpy as np
import torch


def sampled(x: np.ndarray):
    """x: (N, k)"""
    out = np.zeros(len(x))
    for i in range(len(x)):
        out[i] = np.std(x[i], dtype=np.float32)
    return out


def flattened(x: np.ndarray):
    """x: (N, k, d)"""
    out = np.zeros(len(x), dtype=int)
    for i in range(len(x)):
        out[i] = x[i].argmax()
    return out


def from_the_right(A: torch.Tensor, B: torch.Tensor):
    """A: (N, d, d), B: (N, d, d)"""
    out = torch.zeros_like(B)
    for i in range(len(A)):
        out[i] = torch.linalg.solve(A[i], B[i], left=False)
    return out


def refined(A: np.ndarray):
    """A: (N, d, d)"""
    out = np.zeros_like(A)
    out[0] = A[0]
    for i in range(1, len(A)):
        out[i] = np.linalg.inv(out[i - 1]) + A[i]
    return out


def softened(x: torch.Tensor, dim: int):
    """x: (N, k, d)"""
    out = torch.empty_like(x)
    for i in range(x.shape[0]):
        out[i] = torch.softmax(x[i], dim)
    return out


def counted(x: np.ndarray):
    """x: (N, k)"""
    out = np.zeros(x.shape, dtype=int)
    for i in range(len(x)):
        out[i] = x[i].cumprod() / 2
    return out


def cases(rng):
    for n in (4, 1):
        x = rng.normal(size=(n, 3))
        yield "sampled", (x,), {}
        yield "flattened", (rng.normal(size=(n, 3, 2)),), {}
        A = torch.from_numpy(rng.normal(size=(n, 2, 2)) + 3 * np.eye(2))
        yield "from_the_right", (A, torch.from_numpy(rng.normal(size=(n, 2, 2)))), {}
        yield "refined", (A.numpy().copy(),), {}
        yield "softened", (torch.randn(n, 3, 2), 1), {}
        yield "counted", (rng.normal(size=(n, 3)) * 5,), {}
