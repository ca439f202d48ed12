# expect: SPA404 safe scope=f
# The mask of one query has one entry, which is broadcast to all keys.
import torch


def f(q, k, v):
    n = q.shape[-2]
    i = torch.arange(n)
    return ((q @ k.mT) * (i[:, None] >= i)) @ v


def cases(rng):
    def make(*shape):
        return torch.tensor(rng.standard_normal(shape), dtype=torch.float32)

    yield "f", (make(1, 3), make(5, 3), make(5, 2)), {}
    yield "f", (make(4, 3), make(4, 3), make(4, 2)), {}
    yield "f", (make(2, 150, 3), make(2, 150, 3), make(2, 150, 2)), {}
