# refuse: ASC108 the mean is of what the tensor holds later
import torch


def bound_again(x):
    n, c, h, w = x.shape
    v = x.view(n, c, -1).var(dim=2) + 1e-5
    x = x * x
    m = x.view(n, c, -1).mean(dim=2).view(n, c, 1, 1)
    return m, v


def changed(x):
    n, c, h, w = x.shape
    x = x.clone()
    v = x.view(n, c, -1).var(dim=2) + 1e-5
    z = x.mul_(2)
    m = x.view(n, c, -1).mean(dim=2).view(n, c, 1, 1)
    return m, v, z


def given(x, change):
    n, c, h, w = x.shape
    v = x.view(n, c, -1).var(dim=2) + 1e-5
    z = change(x)
    m = x.view(n, c, -1).mean(dim=2).view(n, c, 1, 1)
    return m, v, z


def cases(rng):
    x = torch.tensor(rng.normal(size=(2, 3, 4, 5)))
    yield "bound_again", (x,), {}
    yield "changed", (x,), {}
    yield "given", (x, torch.Tensor.zero_), {}
