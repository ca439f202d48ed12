# expect: ASC101 advice scope=returns
# expect: ASC101 advice scope=listed
# expect: ASC101 advice scope=enumerated
# expect: ASC101 advice scope=averaged
# expect: ASC101 advice scope=sliced
# may: ASC106 advice scope=enumerated
import numpy as np


def returns(r, gamma):
    n = len(r)
    g = np.zeros(n)
    for t in range(n):
        for k in range(t, n):
            g[t] += gamma ** (k - t) * r[k]
    return g


def listed(r: list[float], gamma: float):
    return [sum(gamma ** (k - t) * r[k] for k in range(t, len(r))) for t in range(len(r))]


def enumerated(rewards: list[float], gamma: float = 0.99):
    out = []
    for t in range(len(rewards)):
        g = 0.0
        for i, r in enumerate(rewards[t:]):
            g += gamma**i * r
        out.append(g)
    return out


def averaged(x: np.ndarray, beta: float):
    y = np.zeros_like(x)
    for t in range(len(x)):
        for k in range(t + 1):
            y[t] += (1 - beta) * beta ** (t - k) * x[k]
    return y


def sliced(r: np.ndarray, gamma: float):
    n = len(r)
    return np.array([np.sum(gamma ** np.arange(n - t) * r[t:]) for t in range(n)])


def cases(rng):
    def L(n):
        return [float(v) for v in rng.normal(size=n)]

    for n in (7, 1, 0):
        yield "returns", (rng.normal(size=n), 0.9), {}
        yield "listed", (L(n), 0.9), {}
        yield "enumerated", (L(n),), {}
        yield "averaged", (rng.normal(size=n), 0.9), {}
        yield "sliced", (rng.normal(size=n), 0.9), {}
