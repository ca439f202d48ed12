# expect: SYM602 safe scope=overlaps

import torch


def overlaps(states: torch.Tensor):
    n, width = states.shape
    overlap = torch.zeros(n, n, dtype=states.dtype)
    for i in range(n):
        overlap[i, i] = (states[i] * states[i]).sum()
        for j in range(i + 1, n):
            value = (states[i] * states[j]).sum()
            overlap[i, j] = value
            overlap[j, i] = value
    return overlap


def cases(rng):
    import torch

    for shape in ((5, 3), (1, 4), (6, 1)):
        yield "overlaps", (torch.randn(*shape, requires_grad=True),), {}
    yield "overlaps", (torch.randn(3, 6).T,), {}
