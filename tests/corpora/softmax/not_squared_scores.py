# refuse: squares instead of exponentials
import torch


def square_normalised(x):
    e = (x - x.amin(-1, keepdim=True)) ** 2
    return e / e.sum(-1, keepdim=True)


def cases(rng):
    yield "square_normalised", (torch.tensor(rng.standard_normal((4, 5)), dtype=torch.float32),), {}
