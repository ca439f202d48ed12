# refuse: each has one thing that a total over all steps would change or that it could not hold
import torch
from torch import Tensor


def kernel_density(x: Tensor, at: Tensor):
    """All steps at once would take memory for each pair."""
    n, d = x.shape
    m, d = at.shape
    p = torch.zeros(m)
    for i in range(n):
        p = p + torch.exp(-((at - x[i]) ** 2).sum(-1))
    return p / n


def seen(x: Tensor):
    """The total so far is looked at."""
    n, d = x.shape
    s = torch.zeros(d)
    for i in range(n):
        s = s + x[i] * torch.tanh(s)
    return s


def last(x: Tensor):
    """What the last step made is returned as well."""
    n, d = x.shape
    s = torch.zeros(d)
    for i in range(n):
        r = x[i].exp()
        s = s + r * r.sum()
    return s, r


def given(total: Tensor, m: Tensor):
    """The caller's tensor is changed, one of its rows at a time."""
    n, n = m.shape
    for i in range(n):
        total[i] += m[i, i]
    return total


def printed(m: Tensor):
    n, n = m.shape
    s = torch.zeros(())
    for i in range(n):
        s = s + m[i, i]
        print(s.item())
    return s


def cases(rng):
    def G(*s):
        return torch.tensor(rng.standard_normal(s), dtype=torch.float32, requires_grad=True)

    yield "kernel_density", (G(4, 2), G(3, 2)), {}
    yield "seen", (G(4, 2),), {}
    yield "last", (G(4, 2),), {}
    yield "given", (torch.zeros(3), G(3, 3).detach()), {}
    yield "printed", (G(3, 3),), {}
