# expect: ASC106 safe scope=mixture
# expect: ASC106 safe scope=mean_pool
# expect: ASC106 safe scope=trace
# expect: ASC106 safe scope=traces
# expect: SYM602 safe scope=covariance
# expect: ASC106 safe scope=gram
# expect: ASC106 safe scope=same
# expect: ASC106 safe scope=gates
# expect: ASC106 safe scope=backwards
import torch
from torch import Tensor


def mixture(experts: Tensor, gates: Tensor):
    count, batch, width = experts.shape
    batch, count = gates.shape
    y = torch.zeros(batch, width)
    for e in range(count):
        y = y + gates[:, e : e + 1] * experts[e]
    return y


def mean_pool(h: Tensor, mask: Tensor):
    batch, length, width = h.shape
    total = torch.zeros(batch, width)
    count = torch.zeros(batch, 1)
    for t in range(length):
        kept = mask[:, t].unsqueeze(1).float()
        total += h[:, t] * kept
        count += kept
    return total / count.clamp(min=1)


def trace(m: Tensor):
    n, n = m.shape
    t = torch.zeros(())
    for i in range(n):
        t += m[i, i]
    return t


def traces(m: Tensor):
    batch, n, n = m.shape
    t = torch.ones(batch)
    for i in range(n):
        t = t + m[:, i, i]
    return t


def covariance(x: Tensor, mean: Tensor):
    n, d = x.shape
    (d,) = mean.shape
    c = torch.zeros(d, d)
    for i in range(n):
        r = x[i] - mean
        c += torch.outer(r, r)
    return c / n


def gram(x: Tensor):
    n, d = x.shape
    c = torch.zeros(d, d)
    for row in x:
        c = c + row[:, None] * row[None, :]
    return c


def same(a: Tensor, b: Tensor):
    n, d = a.shape
    n, d = b.shape
    s = torch.zeros(())
    for x, y in zip(a, b):
        s = s + torch.dot(x, y)
    return s


def gates(x: Tensor, k: int):
    batch, n, d = x.shape
    t = torch.ones(batch, d)
    for i in range(k):
        t = t * x[:, i].sigmoid()
    return t


def backwards(x: Tensor, w: Tensor):
    batch, n, d = x.shape
    batch, n = w.shape
    s = torch.zeros(batch, d)
    for i in reversed(range(n)):
        s = s - w[:, i, None] * x[:, i].relu()
    return s


def cases(rng):
    def G(*s):
        return torch.tensor(rng.standard_normal(s), dtype=torch.float32, requires_grad=True)

    for n, b, d in ((5, 3, 4), (3, 3, 3), (1, 2, 1), (2, 1, 3)):
        yield "mixture", (G(n, b, d), G(b, n)), {}
        mask = torch.tensor(rng.integers(0, 2, (b, n)), dtype=torch.bool)
        yield "mean_pool", (G(b, n, d), mask), {}
        yield "trace", (G(n, n),), {}
        yield "traces", (G(b, n, n),), {}
        yield "covariance", (G(n, d), G(d)), {}
        yield "gram", (G(n, d),), {}
        yield "same", (G(n, d), G(n, d)), {}
        yield "gates", (G(b, 5, d), n), {}
        yield "backwards", (G(b, n, d), G(b, n)), {}
    yield "mixture", (G(3, 2, 4).detach().double(), G(2, 3).detach().double()), {}
    yield "gates", (G(2, 5, 3).detach(), 0), {}
    yield "gates", (G(2, 5, 3).detach(), -1), {}
    yield "trace", (G(3, 3).detach().double(),), {}
    yield "mean_pool", (G(2, 3, 4).detach().double(), torch.ones(2, 3)), {}
