# refuse: ASC106 a tensor compares with 0.1 in its own precision
import torch


def above(x: torch.Tensor):
    total = 0.0
    for value in x:
        if value > 0.1:
            total += value.item()
    return total


def cases(rng):
    yield "above", (torch.tensor([0.1, 0.2, 0.05]),), {}
