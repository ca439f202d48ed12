# expect: RED513 safe scope=forward
# expect: RED513 safe scope=upper
# expect: RED513 safe scope=ones
# expect: RED513 safe scope=first_rows
# expect: RED513 safe scope=of_tensors
import numpy as np
import scipy.linalg
import torch


def forward(L: np.ndarray, b: np.ndarray):
    n = len(b)
    y = np.zeros(n)
    for i in range(n):
        s = b[i]
        for j in range(i):
            s -= L[i, j] * y[j]
        y[i] = s / L[i, i]
    return y


def upper(U: np.ndarray, b: np.ndarray):
    n = U.shape[0]
    x = np.zeros(n)
    for i in range(n - 1, -1, -1):
        x[i] = (b[i] - np.dot(U[i, i + 1 :], x[i + 1 :])) / U[i, i]
    return x


def ones(L: np.ndarray, b: np.ndarray):
    y = np.empty(len(b))
    for i in range(len(b)):
        total = 0.0
        for j in range(i):
            total += L[i, j] * y[j]
        y[i] = b[i] - total
    return y


def first_rows(U: np.ndarray, b: np.ndarray, n: int):
    x = np.zeros(len(b))
    for i in reversed(range(n)):
        x[i] = b[i]
        for j in range(i + 1, n):
            x[i] -= U[i, j] * x[j]
        x[i] /= U[i, i]
    return x


def of_tensors(L: torch.Tensor, b: torch.Tensor):
    n = b.shape[0]
    y = torch.zeros(n, dtype=b.dtype)
    for i in range(n):
        y[i] = (b[i] - L[i, :i] @ y[:i]) / L[i, i]
    return y


def factor(m):
    return scipy.linalg.cholesky(m @ m.T + np.eye(len(m)), lower=True)


def cases(rng):
    for n in (1, 2, 5):
        m = factor(rng.normal(size=(n, n)))
        b = rng.normal(size=n)
        yield "forward", (m, b), {}
        yield "forward", (m + np.triu(np.ones((n, n)), 1), b), {}
        yield "upper", (m.T, b), {}
        yield "ones", (m, b), {}
        yield "first_rows", (m.T, b, max(n - 1, 1)), {}
        yield "of_tensors", (torch.tensor(m), torch.tensor(b)), {}
