# expect: SYM601 safe scope=similarity

import torch


def cosine(a, b):
    return torch.nn.functional.cosine_similarity(a, b, dim=0)


def similarity(x: torch.Tensor):
    n, d = x.shape
    out = torch.zeros(n, n)
    for i in range(n):
        for j in range(n):
            out[i, j] = cosine(x[i], x[j])
    return out


def cases(rng):
    import torch

    yield "similarity", (torch.randn(4, 3, requires_grad=True),), {}
    yield "similarity", (torch.randn(1, 3),), {}
    yield "similarity", (torch.randn(3, 4).T,), {}
