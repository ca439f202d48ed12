# refuse: LOC306 a number has no place in the type of the array
import torch


def in_halves(n: int):
    x = torch.ones(n, dtype=torch.float16) / 8
    out = torch.zeros(n, dtype=torch.float64)
    for i in range(n):
        out[i] = max(x[i], 0.3)
    return out


def cases(rng):
    yield "in_halves", (5,), {}
