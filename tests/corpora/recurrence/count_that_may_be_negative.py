# expect: ASC101 safe scope=warmed
# `range` makes no step where a slice would drop elements from the end.
import torch


def warmed(x: torch.Tensor, n: int):
    h = torch.zeros(3)
    for i in range(n):
        h = 0.5 * h + x[i]
    return h


def cases(rng):
    x = torch.tensor(rng.standard_normal((5, 3)), dtype=torch.float32, requires_grad=True)
    for n in (5, 3, 1, 0, -1, -7):
        yield "warmed", (x.detach().clone().requires_grad_(n > 0), n), {}
