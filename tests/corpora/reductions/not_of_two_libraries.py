# refuse: numbers of an array of NumPy are added to a tensor

import numpy as np
import torch


def total(x: np.ndarray):
    total = torch.zeros(())
    for i in range(len(x)):
        total += x[i]
    return total


def cases(rng):
    for n in (1, 2, 7):
        yield "total", (rng.standard_normal(n),), {}
