# expect: LOC301 safe scope=bmm

import torch


def bmm(A, B):
    nb, n, k = A.shape
    m = B.shape[2]
    C = torch.zeros(nb, n, m)
    for b in range(nb):
        for i in range(n):
            for j in range(m):
                for p in range(k):
                    C[b, i, j] += A[b, i, p] * B[b, p, j]
    return C


def cases(rng):
    yield (
        "bmm",
        (
            torch.from_numpy(rng.random((2, 5, 3))).float().requires_grad_(),
            torch.from_numpy(rng.random((2, 3, 4))).float().requires_grad_(),
        ),
        {},
    )
    yield (
        "bmm",
        (
            torch.from_numpy(rng.random((1, 1, 2))).float().requires_grad_(),
            torch.from_numpy(rng.random((1, 2, 1))).float().requires_grad_(),
        ),
        {},
    )
