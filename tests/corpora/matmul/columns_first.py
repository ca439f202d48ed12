# expect: LOC301 safe scope=jki_torch

import torch


def jki_torch(A, B):
    C = torch.zeros(A.shape[0], B.shape[1], dtype=A.dtype)
    for j in range(B.size(1)):
        for p in range(A.size(1)):
            for i in range(A.size(0)):
                C[i, j] += A[i, p] * B[p, j]
    return C


def cases(rng):
    yield (
        "jki_torch",
        (
            torch.from_numpy(rng.random((5, 3))).float().requires_grad_(),
            torch.from_numpy(rng.random((3, 4))).float().requires_grad_(),
        ),
        {},
    )
    yield (
        "jki_torch",
        (
            torch.from_numpy(rng.random((1, 2))).float().requires_grad_(),
            torch.from_numpy(rng.random((2, 1))).float().requires_grad_(),
        ),
        {},
    )
