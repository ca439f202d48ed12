# refuse: ASC101 each step is cut off to what an integer holds
import torch


def smoothed(x: torch.Tensor):
    y = torch.zeros(len(x), dtype=torch.long)
    for i in range(1, len(x)):
        y[i] = 0.5 * y[i - 1] + x[i]
    return y


def alternating(x: torch.Tensor):
    y = torch.zeros(len(x), dtype=torch.int32)
    y[0] = 3
    for i in range(1, len(x)):
        y[i] = x[i] - y[i - 1]
    return y


def cases(rng):
    for n in (1, 2, 9):
        x = torch.tensor(rng.uniform(0, 4, size=n), dtype=torch.float32)
        yield "smoothed", (x,), {}
        yield "alternating", (x,), {}
