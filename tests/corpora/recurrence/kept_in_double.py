# expect: ASC101 safe scope=moving_average
# expect: ASC101 safe scope=of_doubles
import torch


def moving_average(x: torch.Tensor, rate: float):
    h = torch.zeros(x.shape[1], dtype=torch.float64)
    out = []
    for t in range(x.shape[0]):
        h = (1 - rate) * h + rate * x[t]
        out.append(h)
    return torch.stack(out)


def of_doubles(x: torch.Tensor, rate: float):
    x = x.double()
    h = torch.zeros(x.shape[1], dtype=torch.float64)
    out = []
    for t in range(x.shape[0]):
        h = h + rate * (x[t] - h)
        out.append(h)
    return torch.stack(out)


def cases(rng):
    for n in (500, 1):
        x = torch.from_numpy(rng.standard_normal((n, 2), dtype="float32"))
        yield "moving_average", (x, 0.001), {}
        yield "of_doubles", (x, 0.001), {}
