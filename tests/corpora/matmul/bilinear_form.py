# expect: LOC301 safe scope=bilinear

import torch


def bilinear(x, W, y):
    out = torch.zeros(x.shape[0])
    for b in range(x.shape[0]):
        for i in range(W.shape[0]):
            for j in range(W.shape[1]):
                out[b] += x[b, i] * W[i, j] * y[b, j]
    return out


def cases(rng):
    yield (
        "bilinear",
        (
            torch.from_numpy(rng.random((5, 3))).float().requires_grad_(),
            torch.from_numpy(rng.random((3, 4))).float().requires_grad_(),
            torch.from_numpy(rng.random((5, 4))).float().requires_grad_(),
        ),
        {},
    )
