# refuse: the weights may be numbers and what they weigh rows
import torch


def weighted(x, weights):
    total = 0.0
    for k in range(weights.shape[0]):
        total = total + x[0, k] * weights[k]
    return total


def cases(rng):
    yield "weighted", (torch.tensor(rng.random((2, 5, 5))), torch.tensor(rng.random(5))), {}
    yield "weighted", (torch.tensor(rng.random((1, 1, 2))), torch.tensor(rng.random(1))), {}
