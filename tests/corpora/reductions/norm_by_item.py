# expect: ASC106 safe scope=frobenius
import math

import torch


def frobenius(x: torch.Tensor):
    total = 0.0
    for i in range(x.shape[0]):
        for j in range(x.shape[1]):
            total += x[i, j].item() ** 2
    return math.sqrt(total)


def cases(rng):
    for shape in ((3, 4), (1, 1), (0, 3)):
        yield "frobenius", (torch.tensor(rng.random(shape)),), {}
