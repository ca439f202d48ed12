# expect: LOC301 safe scope=matvec_t

import torch


def matvec_t(A, x):
    y = torch.zeros(A.shape[1])
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            y[j] += A[i, j] * x[i]
    return y


def cases(rng):
    yield (
        "matvec_t",
        (
            torch.from_numpy(rng.random((5, 3))).float().requires_grad_(),
            torch.from_numpy(rng.random(5)).float().requires_grad_(),
        ),
        {},
    )
    yield (
        "matvec_t",
        (
            torch.from_numpy(rng.random((1, 1))).float().requires_grad_(),
            torch.from_numpy(rng.random(1)).float().requires_grad_(),
        ),
        {},
    )
