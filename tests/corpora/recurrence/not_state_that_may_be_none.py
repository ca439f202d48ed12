# refuse: without a given state the first step is another one
import torch


def smoothed(x: torch.Tensor, h=None):
    n, d = x.shape
    out = []
    for t in range(n):
        if h is None:
            h = x[t]
        else:
            h = 0.9 * h + 0.1 * x[t]
        out.append(h)
    return torch.stack(out), h


def cases(rng):
    x = torch.tensor(rng.standard_normal((6, 3)), dtype=torch.float32)
    yield "smoothed", (x,), {}
    yield "smoothed", (x, torch.ones(3)), {}
