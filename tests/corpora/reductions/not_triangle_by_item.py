# refuse: ASC106 each row is read up to another column
import torch


def below(x: torch.Tensor):
    total = 0.0
    for i in range(x.shape[0]):
        for j in range(i):
            total += x[i, j].item()
    return total


def cases(rng):
    yield "below", (torch.tensor(rng.random((4, 4))),), {}
