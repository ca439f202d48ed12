# refuse: ASC106 the elements may be vectors or matrices, and so a product is not one of numbers
import numpy as np
import torch


def products(a: torch.Tensor, b: torch.Tensor):
    total = 0.0
    for i in range(len(a)):
        total = total + (a[i] @ b[i] + 1).sum()
    return total


def sizes(a: np.ndarray, b: np.ndarray):
    total = 0.0
    for i in range(a.shape[0]):
        total += abs(a[i] @ b[i])
    return total


def cases(rng):
    a, b = rng.normal(size=(2, 4, 4, 4))
    yield "products", (torch.tensor(a), torch.tensor(b)), {}
    yield "products", (torch.tensor(a[0]), torch.tensor(b[0])), {}
    yield "sizes", (a, b), {}
    yield "sizes", (a[0], b[0]), {}
