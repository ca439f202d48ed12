# refuse: what is written is a view of what is read
import torch


def ahead(x: torch.Tensor):
    y = x[1:]
    h = torch.zeros(3)
    for t in range(y.shape[0]):
        h = 0.5 * h + x[t]
        y[t] = h
    return x


def cases(rng):
    yield "ahead", (torch.tensor(rng.standard_normal((6, 3))).float(),), {}
