# refuse: the state is divided by its own norm
import torch


def spread(weights, pushes):
    h = torch.ones_like(weights)
    for p in pushes:
        h = weights * h + p
        h = h / h.norm()
    return h


def cases(rng):
    weights = torch.tensor(rng.random(5), dtype=torch.float32)
    pushes = torch.tensor(rng.random((8, 5)), dtype=torch.float32)
    yield "spread", (weights, pushes), {}
