# expect: ASC106 safe scope=last_place
# expect: ASC106 safe scope=last_row
import numpy as np
import torch


def last_place(x: np.ndarray):
    k = 0
    for i in range(1, len(x)):
        if x[i] >= x[k]:
            k = i
    return k


def last_row(x: torch.Tensor):
    best = x[0]
    place = 0
    for i in range(1, len(x)):
        if x[i] >= best:
            best = x[i]
            place = i
    return place, best


def cases(rng):
    for values in ([1.0], [1.0, 3.0, 3.0, 2.0], [2.0, 2.0]):
        yield "last_place", (np.array(values),), {}
        yield "last_row", (torch.tensor(values),), {}
