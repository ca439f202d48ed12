# expect: LOC301 unsafe scope=a_bt
# expect: LOC301 safe scope=of_products

import torch


def a_bt(A, B):
    C = torch.empty(A.shape[0], B.shape[0])
    for i in range(A.shape[0]):
        for j in range(B.shape[0]):
            C[i, j] = (A[i] * B[j]).sum()
    return C


def of_products(A, B):
    """Only vectors have such a product."""
    C = torch.empty(A.shape[0], B.shape[0])
    for i in range(A.shape[0]):
        for j in range(B.shape[0]):
            C[i, j] = A[i] @ B[j]
    return C


def cases(rng):
    for sizes in ((4,), (3, 2, 2)):
        yield "a_bt", (torch.from_numpy(rng.random(sizes)), torch.from_numpy(rng.random(sizes))), {}
    yield "of_products", (torch.rand(3, 2), torch.rand(4, 2)), {}
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
