# refuse: each row meets a number, or a row: nothing says which
import numpy as np
import torch


def by_norms(x: np.ndarray):
    s = np.linalg.norm(x, axis=1)
    out = x.copy()
    for i in range(x.shape[0]):
        out[i, :] /= s[i]
    return out


def by_sums(x: np.ndarray):
    d = x.sum(axis=1)
    p = np.zeros_like(x)
    for i in range(x.shape[0]):
        p[i] = x[i, :]
        p[i] /= d[i]
    return p


def by_columns(x: np.ndarray):
    mean, std = x.mean(axis=0), x.std(axis=0)
    for j in range(x.shape[1]):
        x[:, j] -= mean[j]
        x[:, j] /= std[j]
    return x


def flat(x: np.ndarray, w: np.ndarray):
    w = w.ravel()
    for i in range(x.shape[0]):
        x[i, :] *= w[i]
    return x


def of_tensors(x: torch.Tensor):
    norms = x.norm(dim=1)
    for i in range(x.shape[0]):
        x[i, :] /= norms[i]
    return x


def filled(b, n, m):
    out = np.zeros((n, m))
    for i in range(n):
        out[i] += b[i]
    return out


def channels(x, gains):
    n, m = x.shape
    for c in range(n):
        x[c] *= gains[c]
    return x


def added_by_places(x: np.ndarray, idx: np.ndarray):
    w = x.sum(axis=1)
    out = np.zeros((5, x.shape[1]))
    for i in range(len(idx)):
        out[idx[i]] += w[i]
    return out


def sums_of_rows(x, y):
    n, d = x.shape
    total = np.zeros(d)
    for i in range(n):
        total += x[i] * y[i]
    return total


def maps(f: torch.Tensor):
    mean = f.mean(dim=(2, 3))
    out = torch.zeros_like(f)
    for b in range(f.shape[0]):
        for c in range(f.shape[1]):
            out[b, c] = f[b, c] - mean[b, c]
    return out


def ramp(x):
    t = np.linspace(0, 1, len(x))
    out = np.zeros_like(x)
    for i in range(len(x)):
        out[i] = x[i] + t[i]
    return out


def one_axis_more(y: np.ndarray):
    out = np.empty(y.shape + (2,))
    for i in range(len(y)):
        out[i] = y[i] * 2
    return out


def between(a, b, n):
    t = np.linspace(0, 1, n)
    out = np.zeros((n, len(a)))
    for i in range(n):
        out[i] = (1 - t[i]) * a + t[i] * b
    return out


def cases(rng):
    for shape in ((3, 4), (3, 3)):
        x, w = rng.random(shape), rng.random(3)
        for name in ("by_norms", "by_sums", "by_columns"):
            yield name, (x,), {}
        yield "flat", (x, w), {}
        yield "of_tensors", (torch.tensor(x),), {}
        yield "filled", (w, *shape), {}
        yield "channels", (x, w), {}
        yield "added_by_places", (x, np.array([0, 2, 0])), {}
        yield "sums_of_rows", (x, w), {}
        yield "maps", (torch.tensor(rng.random((3, 3, 3, shape[1]))),), {}
        yield "ramp", (x,), {}
        yield "one_axis_more", (rng.random(2),), {}
        yield "between", (x[0], x[1], 3), {}
