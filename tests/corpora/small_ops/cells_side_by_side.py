# expect: LOC306 safe scope=on_a_circle
# expect: LOC306 safe scope=turned
# expect: LOC302 safe scope=haar
# expect: LOC302 safe scope=rotary
# expect: LOC306 safe scope=added
# expect: LOC306 safe scope=one_from_the_other
# expect: LOC306 safe scope=ends
import numpy as np
import torch


def on_a_circle(x: np.ndarray):
    n = len(x)
    out = np.zeros((n, 2))
    for i in range(n):
        out[i, 0] = np.cos(x[i])
        out[i, 1] = np.sin(x[i])
    return out


def turned(p: torch.Tensor, c: float, s: float):
    out = torch.zeros_like(p)
    for i in range(p.shape[0]):
        out[i, 0] = c * p[i, 0] - s * p[i, 1]
        out[i, 1] = s * p[i, 0] + c * p[i, 1]
    return out


def haar(x: np.ndarray):
    n = len(x) // 2
    out = np.zeros(2 * n)
    for i in range(n):
        out[i] = (x[2 * i] + x[2 * i + 1]) / 2
        out[n + i] = (x[2 * i] - x[2 * i + 1]) / 2
    return out


def rotary(x: np.ndarray, c: np.ndarray, s: np.ndarray):
    n, d = x.shape
    out = np.empty_like(x)
    for t in range(n):
        for i in range(0, d, 2):
            out[t, i] = x[t, i] * c[t, i] - x[t, i + 1] * s[t, i]
            out[t, i + 1] = x[t, i] * s[t, i] + x[t, i + 1] * c[t, i]
    return out


def added(x: np.ndarray):
    n = len(x)
    out = np.ones((n, 3))
    for i in range(n):
        out[i, 0] += x[i] * 2
        out[i, 2] -= x[i] * 3
    return out


def one_from_the_other(x: np.ndarray):
    n = len(x)
    out = np.zeros((n, 2))
    for i in range(n):
        out[i, 0] = x[i] * 2
        out[i, 1] = out[i, 0] + 1
    return out


def ends(x: np.ndarray):
    n = len(x)
    out = np.zeros(3 * n)
    for i in range(n):
        out[3 * i] = x[i] + 1
        out[3 * i + 1] = x[i] + 2
        out[3 * i + 2] = x[i] + 3
    return out


def cases(rng):
    for n in (6, 2, 1):
        yield "on_a_circle", (rng.normal(size=n),), {}
        yield "turned", (torch.tensor(rng.normal(size=(n, 2)), requires_grad=True), 0.6, 0.8), {}
        yield "haar", (rng.normal(size=n),), {}
        yield "added", (rng.normal(size=n),), {}
        yield "one_from_the_other", (rng.normal(size=n),), {}
        yield "ends", (rng.normal(size=n),), {}
    for n, d in ((3, 4), (1, 2)):
        x, c, s = rng.normal(size=(3, n, d))
        yield "rotary", (x, c, s), {}
