# refuse: prev is the same tensor as h, so the difference is always zero
import torch


def increments(x, decay):
    h = torch.zeros_like(x[0])
    steps = torch.empty_like(x)
    for t in range(x.shape[0]):
        prev = h
        h *= decay
        h += x[t]
        steps[t] = h - prev
    return steps


def cases(rng):
    yield "increments", (torch.tensor(rng.standard_normal((9, 3)), dtype=torch.float32), 0.9), {}
