# expect: ASC102 safe scope=scan
"""A state that is given and returned with its axes in another order than the kernel's."""

from __future__ import annotations

import torch


def scan(x, dt, A, B, C, s):
    length, batch, channels = x.shape
    states, width = A.shape
    n, b, m = B.shape
    n, b, m = C.shape
    n, b, d = dt.shape
    b, m, d = s.shape
    outputs = []
    for t in range(length):
        entry = B[t].unsqueeze(2) * (dt[t] * x[t]).unsqueeze(1)
        s = torch.exp(A * dt[t].unsqueeze(1)) * s + entry
        outputs.append(torch.bmm(C[t].unsqueeze(1), s).squeeze(1))
    return torch.stack(outputs), s


def cases(rng):
    def tensor(*shape):
        return torch.from_numpy(rng.standard_normal(shape)).requires_grad_()

    for length, states in ((1, 4), (5, 3)):
        x, dt = tensor(length, 2, 3), tensor(length, 2, 3)
        A = -torch.from_numpy(rng.random((states, 3)))
        B, C = tensor(length, 2, states), tensor(length, 2, states)
        yield "scan", (x, dt, A, B, C, tensor(2, states, 3)), {}
