# refuse: RED506 each column is divided by another sum
import torch


def best_row(scores: torch.Tensor):
    return torch.softmax(scores, dim=1).argmax(dim=0)


def cases(rng):
    yield "best_row", (torch.randn(3, 5),), {}
