# refuse: the list begins with two items, so that the number is not that of the last one
import torch


def states(x: torch.Tensor, a: float):
    steps, width = x.shape
    hs = [x[0], x[0]]
    for t in range(1, steps):
        hs.append(torch.tanh(a * hs[t - 1]) + x[t])
    return torch.stack(hs)


def cases(rng):
    yield "states", (torch.tensor(rng.standard_normal((6, 3))), 0.5), {}
