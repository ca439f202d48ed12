# expect: ASC102 safe scope=scan
"""Time first and the states before the channels: only its first size is read of `A`, which may be
a vector or, as here, a matrix."""

from __future__ import annotations

import torch


def scan(x, dt, A, B, C):
    length, batch, channels = x.shape
    s = torch.zeros(batch, A.shape[0], channels, dtype=x.dtype)
    outputs = []
    for t in range(length):
        entry = B[t].unsqueeze(2) * (dt[t] * x[t]).unsqueeze(1)
        s = torch.exp(A * dt[t].unsqueeze(1)) * s + entry
        outputs.append(torch.bmm(C[t].unsqueeze(1), s).squeeze(1))
    return torch.stack(outputs)


def cases(rng):
    def tensor(*shape):
        return torch.from_numpy(rng.standard_normal(shape)).requires_grad_()

    for length in (1, 5):
        x, dt = tensor(length, 2, 3), tensor(length, 2, 3)
        A = -torch.from_numpy(rng.random((4, 3)))
        yield "scan", (x, dt, A, tensor(length, 2, 4), tensor(length, 2, 4)), {}
