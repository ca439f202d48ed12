# expect: ASC101 safe scope=warm
# expect: ASC101 safe scope=settle
# expect: ASC101 safe scope=short
import torch


def warm(x: torch.Tensor, window: int):
    h = torch.zeros(3)
    y = torch.zeros_like(x)
    for i in range(len(x) - window):
        h = 0.5 * h + x[i]
        y[i] = h
    return y


def settle(x: torch.Tensor, order: int):
    h = torch.zeros(3)
    y = torch.zeros_like(x)
    for i in range(order - 1):
        h = 0.9 * h + 0.1 * x[i]
        y[i] = h
    return y


def short(x: torch.Tensor):
    count = x.shape[0]
    h = torch.zeros(3)
    y = torch.zeros_like(x)
    for i in range(count - 3):
        h = 0.5 * h + x[i]
        y[i] = h
    return y


def cases(rng):
    for rows in (1, 2, 3, 5):
        x = torch.tensor(rng.standard_normal((rows, 3)), dtype=torch.float32)
        for window in (0, 1, 2, 3, 4, 7):
            yield "warm", (x, window), {}
        for order in (0, 1, 2):
            yield "settle", (x, order), {}
        yield "short", (x,), {}
