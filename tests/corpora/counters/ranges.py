# expect: LOC301 safe scope=bilinear
# expect: LOC301 safe scope=matmul
# expect: LOC302 safe scope=jacobi
# expect: SPA406 safe scope=histogram
import numpy as np
import torch


def bilinear(a, M, b):
    n = a.shape[0]
    out = torch.zeros(n)
    i = 0
    while i < n:
        out[i] = a[i] @ M @ b[i]
        i += 1
    return out


def matmul(a: np.ndarray, b: np.ndarray):
    n, k = a.shape
    k, m = b.shape
    c = np.zeros((n, m))
    i = 0
    while i < n:
        j = 0
        while j < m:
            p = 0
            while p < k:
                c[i, j] += a[i, p] * b[p, j]
                p += 1
            j += 1
        i += 1
    return c


def jacobi(u):
    v = u.copy()
    i = 1
    while i <= u.shape[0] - 2:
        for j in range(1, u.shape[1] - 1):
            v[i, j] = 0.25 * (u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1])
        i = i + 1
    return v


def histogram(idx, n: int):
    out = np.zeros(n)
    i = 0
    while i < len(idx):
        out[idx[i]] += 1
        i += 1
    return out


def cases(rng):
    n = rng.standard_normal

    def t(*shape):
        return torch.tensor(n(shape), dtype=torch.float32, requires_grad=True)

    yield "bilinear", (t(4, 3), t(3, 2), t(4, 2)), {}
    yield "matmul", (n((3, 4)), n((4, 2))), {}
    yield "jacobi", (n((5, 6)),), {}
    yield "histogram", (rng.integers(0, 4, 9), 4), {}
