# refuse: products that may be of single precision are added up in double precision
import torch


def product(a: torch.Tensor, b: torch.Tensor):
    n, k = a.shape
    k, m = b.shape
    c = torch.zeros(n, m, dtype=torch.float64)
    for i in range(n):
        for j in range(m):
            for p in range(k):
                c[i, j] += a[i, p] * b[p, j]
    return c


def gram(x: torch.Tensor):
    n, d = x.shape
    g = torch.zeros(n, n, dtype=torch.float64)
    for i in range(n):
        for j in range(i, n):
            for k in range(d):
                g[i, j] += x[i, k] * x[j, k]
            g[j, i] = g[i, j]
    return g


def correlated(x: torch.Tensor, w: torch.Tensor):
    (n,) = x.shape
    (k,) = w.shape
    y = torch.zeros(n - k + 1, dtype=torch.float64)
    for i in range(n - k + 1):
        for j in range(k):
            y[i] += x[i + j] * w[j]
    return y


def cases(rng):
    for n, k in ((3, 5), (1, 2)):
        yield "product", (torch.rand(n, k), torch.rand(k, 4)), {}
        yield "gram", (torch.rand(n, k),), {}
        yield "correlated", (torch.rand(9), torch.rand(k)), {}
