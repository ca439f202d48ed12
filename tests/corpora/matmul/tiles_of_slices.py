# expect: LOC301 safe scope=tiles_slices

import torch


def tiles_slices(A, B):
    n, k = A.shape
    m = B.shape[1]
    C = torch.zeros(n, m)
    T = 4
    for i in range(0, n, T):
        for j in range(0, m, T):
            for p in range(0, k, T):
                C[i : i + T, j : j + T] += A[i : i + T, p : p + T] @ B[p : p + T, j : j + T]
    return C


def cases(rng):
    yield (
        "tiles_slices",
        (
            torch.from_numpy(rng.random((5, 7))).float().requires_grad_(),
            torch.from_numpy(rng.random((7, 6))).float().requires_grad_(),
        ),
        {},
    )
