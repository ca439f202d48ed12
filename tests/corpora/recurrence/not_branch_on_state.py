# refuse: a step is skipped where the state is negative
import torch


def rectified_memory(x, keep):
    h = torch.zeros_like(x[0])
    out = torch.zeros_like(x)
    for t in range(len(x)):
        h = torch.where(h < 0, x[t], keep * h + x[t])
        out[t] = h
    return out


def cases(rng):
    yield "rectified_memory", (torch.tensor(rng.standard_normal((20, 3))), 0.9), {}
