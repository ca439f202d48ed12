# expect: ASC106 safe scope=energy
import torch


def energy(x: torch.Tensor):
    total = 0.0
    for t in range(x.shape[0]):
        total = total + (x[t] ** 2).sum()
    return total


def cases(rng):
    for shape in ((4, 3), (1, 2), (0, 3)):
        yield "energy", (torch.tensor(rng.random(shape), requires_grad=True),), {}
