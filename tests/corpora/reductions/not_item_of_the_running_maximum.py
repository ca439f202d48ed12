# refuse: ASC106 a step compares with what the one before left
import torch


def steps_up(x: torch.Tensor):
    total = 0.0
    for i in range(len(x)):
        if x[i].item() > total:
            total = x[i].item() + total
    return total


def cases(rng):
    yield "steps_up", (torch.tensor(rng.random(5)),), {}
