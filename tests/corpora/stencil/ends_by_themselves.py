# expect: LOC302 safe scope=gradient
# expect: LOC302 safe scope=laplacian
import numpy as np


def gradient(f, h):
    n = f.shape[0]
    g = np.empty(n)
    g[0] = (f[1] - f[0]) / h
    for i in range(1, n - 1):
        g[i] = (f[i + 1] - f[i - 1]) / (2 * h)
    g[n - 1] = (f[n - 1] - f[n - 2]) / h
    return g


def laplacian(u, h):
    n = len(u)
    out = np.zeros(n)
    out[0] = u[1] - u[0]
    out[-1] = u[-2] - u[-1]
    for i in range(1, n - 1):
        out[i] = (u[i + 1] - 2 * u[i] + u[i - 1]) / h**2
    return out


def cases(rng):
    for name in ("gradient", "laplacian"):
        yield name, (rng.standard_normal(7), 0.1), {}
        yield name, (rng.standard_normal(2), 0.1), {}
