# refuse: a function within changes the size, or the rate, before the loop
import numpy as np
import torch


def cut(x: np.ndarray):
    n = len(x)

    def fewer():
        nonlocal n
        n -= 1

    fewer()
    s = 0.0
    for i in range(n):
        s += x[i]
    return s


def rate(x: torch.Tensor):
    a = 0.5

    def faster():
        nonlocal a
        a = 0.9

    faster()
    h = torch.zeros_like(x[0])
    out = []
    for v in x:
        h = a * h + v
        out.append(h)
    return torch.stack(out)


def given(x: np.ndarray, n: int):
    def fewer():
        nonlocal n
        n = n // 2

    fewer()
    s = 0.0
    for i in range(n):
        s += x[i]
    return s


def cases(rng):
    yield "cut", (rng.normal(size=6),), {}
    yield "rate", (torch.tensor(rng.normal(size=(6, 3))),), {}
    yield "given", (rng.normal(size=6), 5), {}
