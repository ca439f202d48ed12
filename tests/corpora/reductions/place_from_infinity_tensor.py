# expect: ASC106 safe scope=nearest
import torch


def nearest(distances: torch.Tensor):
    best = float("inf")
    where = None
    for i in range(distances.shape[0]):
        if distances[i] < best:
            best = distances[i]
            where = i
    return where, best


def cases(rng):
    inf = float("inf")
    for values in ([], [inf, inf], [3.0, 1.0, 1.0], [inf, 2.0]):
        yield "nearest", (torch.tensor(values),), {}
