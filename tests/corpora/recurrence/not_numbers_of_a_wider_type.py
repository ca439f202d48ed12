# refuse: ASC101 a number of a step widens no row, all of them at once would
import torch


def faded(x: torch.Tensor):
    n, d = x.shape
    weights = torch.linspace(0, 1, n, dtype=torch.float64)
    h = torch.zeros(d)
    out = []
    for t in range(n):
        h = weights[t] * h + x[t]
        out.append(h)
    return torch.stack(out)


def cases(rng):
    yield "faded", (torch.randn(6, 3),), {}
