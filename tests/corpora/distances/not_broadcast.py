# refuse: SEP205 the differences are needed themselves
# refuse: SEP205 nothing is paired
# refuse: SEP205 not the square
# refuse: SEP205 all is summed
# refuse: SEP205 a sum over the pairs
import torch


def directions(x: torch.Tensor):
    apart = x[:, None, :] - x[None, :, :]
    squares = (apart**2).sum(-1) + 1.0
    return (apart / squares[..., None]).sum(1)


def centred(x: torch.Tensor):
    b, t, d = x.shape
    return ((x - x.mean(1).unsqueeze(1)) ** 2).sum(-1)


def absolute(x: torch.Tensor, y: torch.Tensor):
    return (x[:, None] - y[None]).abs().sum(-1)


def total(x: torch.Tensor, y: torch.Tensor):
    return ((x[:, None] - y[None]) ** 2).sum()


def weighted(x: torch.Tensor, y: torch.Tensor, w: torch.Tensor):
    return (w * (x[:, None] - y[None]) ** 2).sum(-1)


def changed(x: torch.Tensor, y: torch.Tensor):
    apart = x[:, None] - y[None]
    apart[0] = 0
    return (apart**2).sum(-1)


def bound(x: torch.Tensor, y: torch.Tensor):
    return ((apart := x[:, None] - y[None]) ** 2).sum(-1) + apart.sum(-1)


def both(rng, n, m, d, *lead):
    x = torch.from_numpy(rng.standard_normal((*lead, n, d))).float().requires_grad_()
    y = torch.from_numpy(rng.standard_normal((*lead, m, d))).float().requires_grad_()
    return x, y


def cases(rng):
    x, y = both(rng, 23, 31, 5)
    for name in ("absolute", "total"):
        yield name, (x, y), {}
    yield "changed", (x, y), {}
    yield "bound", (x, y), {}
    yield "directions", (x,), {}
    yield "centred", both(rng, 5, 4, 3, 2)[:1], {}
    yield "weighted", (x, y, torch.from_numpy(rng.random(5)).float()), {}
