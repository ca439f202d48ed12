# expect: SPA404 safe scope=lower
# expect: SPA404 safe scope=later
import numpy as np
import torch


def lower(q, k, v):
    return np.tril(q @ k.T) @ v


def later(q, k, v):
    scores = np.triu(q @ k.T, 1)
    return scores @ v


def as_tensor(x):
    return torch.from_numpy(x)


def cases(rng):
    for n in (1, 2, 9):
        args = tuple(rng.normal(size=(n, 3)) for _ in range(3))
        yield "lower", args, {}
        yield "later", args, {}
