# expect: SYM602 safe scope=similarity

import torch


def similarity(x: torch.Tensor):
    n, d = x.shape
    out = torch.zeros(n, n)
    for i in range(n):
        for j in range(n):
            out[i, j] = torch.dot(x[i], x[j])
    return out


def cases(rng):
    import torch

    for shape in ((5, 3), (1, 4), (6, 1)):
        yield "similarity", (torch.randn(*shape, requires_grad=True),), {}
