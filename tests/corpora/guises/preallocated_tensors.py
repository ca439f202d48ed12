# expect: ASC101 safe scope=f
import torch


def f(x: torch.Tensor, a: float):
    T, D = x.shape
    out = [None] * T
    out[0] = x[0]
    for t in range(1, T):
        out[t] = a * out[t - 1] + x[t]
    return torch.stack(out)


def cases(rng):
    yield (
        "f",
        (torch.tensor(rng.normal(size=(7, 3)), dtype=torch.float32, requires_grad=True), 0.9),
        {},
    )
    yield (
        "f",
        (torch.tensor(rng.normal(size=(1, 3)), dtype=torch.float32, requires_grad=True), 0.9),
        {},
    )
