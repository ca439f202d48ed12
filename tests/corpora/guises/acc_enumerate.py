# expect: ASC101 safe scope=f
from itertools import accumulate

import torch


def f(x: torch.Tensor, y: torch.Tensor):
    T, D = x.shape
    return torch.stack([h * y[i] for i, h in enumerate(accumulate(x, lambda h, u: 0.5 * h + u))])


def cases(rng):
    yield (
        "f",
        (
            torch.tensor(rng.normal(size=(7, 3)), dtype=torch.float32, requires_grad=True),
            torch.tensor(rng.normal(size=(7, 3)), dtype=torch.float32),
        ),
        {},
    )
    yield (
        "f",
        (
            torch.tensor(rng.normal(size=(1, 3)), dtype=torch.float32, requires_grad=True),
            torch.tensor(rng.normal(size=(1, 3)), dtype=torch.float32),
        ),
        {},
    )
