# refuse: the values are rounded under a name of their own
import torch


def clipped(x: torch.Tensor):
    x = x.double()
    level = torch.zeros(x.shape[1])
    for t in range(x.shape[0]):
        sunk = torch.relu(level + x[t]).float()
        level = sunk
    return level


def cases(rng):
    yield "clipped", (torch.randn(200, 3),), {}
    yield "clipped", (torch.randn(1, 2),), {}
