# refuse: what is written goes where the step before said, or where the data does
import torch


def before(x: torch.Tensor):
    out = torch.zeros(len(x) + 1)
    h = torch.tensor(0.0)
    k = 0
    for t in range(len(x)):
        h = 0.9 * h + x[t]
        out[k] = h
        k = len(x) - t
    return out


def of_the_data(x: torch.Tensor):
    out = torch.zeros(len(x))
    h = torch.tensor(0.0)
    for t in range(len(x)):
        k = t
        if x[t] > 0:
            k = 0
        h = 0.9 * h + x[t]
        out[k] = h
    return out


def named_after(x: torch.Tensor):
    out = torch.zeros(len(x))
    h = torch.tensor(0.0)
    for t in range(len(x)):
        k = int(x[t].abs() * 10) % len(x)
        h = 0.9 * h + x[t]
        out[k] = h
    return out


def cases(rng):
    x = torch.tensor(rng.standard_normal(9), dtype=torch.float32)
    for name in ("before", "of_the_data", "named_after"):
        yield name, (x,), {}
