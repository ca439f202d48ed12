# refuse: the state is kept in double precision, what is added to it may not be
import torch


def moving_average(x: torch.Tensor, rate: float):
    h = torch.zeros(x.shape[1], dtype=torch.float64)
    out = []
    for t in range(x.shape[0]):
        gap = x[t] - h
        h = h + rate * gap
        out.append(h)
    return torch.stack(out)


def polynomial(c: torch.Tensor, x: float):
    y = torch.zeros((), dtype=torch.float64)
    for i in range(c.shape[0]):
        y = y * x + c[i]
    return y


def cases(rng):
    for n in (500, 1):
        x = torch.from_numpy(rng.standard_normal((n, 2), dtype="float32"))
        yield "moving_average", (x, 0.001), {}
        yield "polynomial", (x[:, 0], 0.99), {}
