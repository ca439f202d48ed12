# refuse: ASC106 another array is chosen, by another comparison, or beside a number
import torch


def begins_as_a_number(x: torch.Tensor):
    best = float("-inf")
    for row in x:
        best = torch.where(row > best, row, best)
    return best


def by_its_sign(x: torch.Tensor):
    best = torch.zeros(3)
    for i in range(len(x)):
        best = torch.where(best > 0, x[i], best)
    return best


def payload(x: torch.Tensor, y: torch.Tensor):
    best = torch.zeros(3)
    for i in range(len(x)):
        best = torch.where(x[i] > best, y[i], best)
    return best


def given(x: torch.Tensor, best):
    for row in x:
        best = torch.where(row > best, row, best)
    return best


def cases(rng):
    for steps in (1, 2, 5):
        x = torch.tensor(rng.standard_normal((steps, 3)), dtype=torch.float32)
        yield "begins_as_a_number", (x,), {}
        yield "by_its_sign", (x,), {}
        yield "payload", (x, x.flip(0)), {}
        yield "given", (x, 0.5), {}
