# expect: LOC306 safe scope=gauss
import torch


def gauss(x: torch.Tensor, y: torch.Tensor):
    k = torch.empty(len(x), len(y))
    for i in range(len(x)):
        for j in range(len(y)):
            k[i, j] = torch.exp(-((x[i] - y[j]) ** 2) / 2)
    return k


def cases(rng):
    yield (
        "gauss",
        (
            torch.from_numpy(rng.random(5)).float().requires_grad_(),
            torch.from_numpy(rng.random(3)).float().requires_grad_(),
        ),
        {},
    )
