# expect: LOC301 safe scope=a_bt

import torch


def a_bt(A, B):
    C = torch.empty(A.shape[0], B.shape[0])
    for i in range(A.shape[0]):
        for j in range(B.shape[0]):
            C[i, j] = (A[i] * B[j]).sum()
    return C


def cases(rng):
    yield (
        "a_bt",
        (
            torch.from_numpy(rng.random((5, 3))).float().requires_grad_(),
            torch.from_numpy(rng.random((4, 3))).float().requires_grad_(),
        ),
        {},
    )
    yield (
        "a_bt",
        (
            torch.from_numpy(rng.random((1, 2))).float().requires_grad_(),
            torch.from_numpy(rng.random((2, 2))).float().requires_grad_(),
        ),
        {},
    )
