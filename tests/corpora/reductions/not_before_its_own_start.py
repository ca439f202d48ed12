# refuse: ASC106 the loop may end before the element that it starts from
import numpy as np
import torch


def but_the_last(x: np.ndarray):
    m = x[0]
    for i in range(1, len(x) - 1):
        if x[i] > m:
            m = x[i]
    return m


def first_few(x: np.ndarray, k: int):
    m = x[0]
    for i in range(1, k):
        if x[i] > m:
            m = x[i]
    return m


def place(x: np.ndarray, k: int):
    best = 0
    for i in range(1, k):
        if x[i] > x[best]:
            best = i
    return best


def pooled(hidden: torch.Tensor):
    out = hidden[:, 0]
    for t in range(1, hidden.shape[1] - 1):
        out = torch.maximum(out, hidden[:, t])
    return out


def cases(rng):
    for n in (1, 2, 5):
        x = rng.standard_normal(n)
        yield "but_the_last", (x,), {}
        yield "first_few", (x, 0), {}
        yield "first_few", (x, min(n, 3)), {}
        yield "place", (x, 0), {}
        yield "pooled", (torch.tensor(rng.standard_normal((2, n, 3))),), {}
