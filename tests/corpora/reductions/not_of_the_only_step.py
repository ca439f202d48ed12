# refuse: ASC106 what the only step adds has no axis of steps to sum over
import torch


def once(x: torch.Tensor):
    rows, columns = x.shape
    total = torch.zeros(columns)
    for _ in range(1):
        total = total + x[0]
    return total


def product(x: torch.Tensor, y: torch.Tensor):
    rows, columns = x.shape
    rows, columns = y.shape
    total = torch.ones(columns)
    for _ in range(1):
        total = total * (x[0] * y[0])
    return total


def within(x: torch.Tensor):
    batch, rows, columns = x.shape
    total = torch.zeros(columns)
    for i in range(batch):
        row = x[i].sum(0)
        for _ in range(1):
            total = total + row
    return total


def cases(rng):
    def T(*s):
        return torch.from_numpy(rng.standard_normal(s)).float().requires_grad_()

    yield "once", (T(4, 2),), {}
    yield "product", (T(4, 2), T(4, 2)), {}
    yield "within", (T(3, 4, 2),), {}
