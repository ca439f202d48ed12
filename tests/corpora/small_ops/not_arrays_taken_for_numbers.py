# refuse: what stands in each step may be an array, and the rows that are filled have its axes
import numpy as np
import torch


def interpolated(a: torch.Tensor, b: torch.Tensor, n: int):
    ts = torch.linspace(0, 1, n)
    out = torch.empty(n, *a.shape)
    for i in range(n):
        out[i] = (1 - ts[i]) * a + ts[i] * b
    return out


def basis(x: np.ndarray, centers: np.ndarray, s: float):
    out = np.zeros((len(centers), *x.shape))
    for k in range(len(centers)):
        out[k] = np.exp(-((x - centers[k]) ** 2) / s)
    return out


def steps(t: np.ndarray, v: np.ndarray):
    out = np.zeros((len(t) - 1,) + v.shape)
    for i in range(len(t) - 1):
        out[i] = (t[i + 1] - t[i]) * v
    return out


def joined_sizes(w: np.ndarray, x: np.ndarray):
    out = np.zeros([len(w)] + list(x.shape))
    for i, weight in enumerate(w):
        out[i] = weight * x
    return out


def made_like(w: torch.Tensor, x: torch.Tensor):
    out = x.new_empty((len(w),) + x.shape)
    for i in range(len(w)):
        out[i] = w[i] * x
    return out


def of_a_shape(w: np.ndarray, x: np.ndarray, shape):
    out = np.zeros(shape)
    for i in range(len(w)):
        out[i] = w[i] * x
    return out


def scattered(w: np.ndarray, idx: np.ndarray, x: np.ndarray, n: int):
    out = np.zeros((n,) + x.shape)
    for i in range(len(w)):
        out[idx[i]] += w[i] * x
    return out


def scattered_rows(w: np.ndarray, idx: np.ndarray, x: np.ndarray, out: np.ndarray):
    for i in range(len(w)):
        out[idx[i]] += w[i] * x[i]
    return out


def rows_scaled(x: torch.Tensor, s: torch.Tensor):
    for i in range(x.shape[0]):
        x[i] *= s[i]
    return x


class Scaler:
    def __init__(self, w):
        self.w = w

    def __call__(self, x: np.ndarray):
        for i in range(x.shape[0]):
            x[i] = x[i] / self.w[i]
        return x


def cases(rng):
    for shape in ((3,), (5,), (3, 3)):
        a, b = torch.tensor(rng.random((2, *shape)))
        yield "interpolated", (a, b, 3), {}
        yield "basis", (rng.random(shape), rng.random(3), 0.5), {}
        yield "steps", (rng.random(4), rng.random(shape)), {}
        yield "joined_sizes", (rng.random(3), rng.random(shape)), {}
        yield "made_like", (torch.tensor(rng.random(3)), a), {}
        yield "of_a_shape", (rng.random(3), rng.random(shape), (3, *shape)), {}
        yield "scattered", (rng.random(3), np.array([0, 1, 0]), rng.random(shape), 2), {}
    for columns in (3, 4):
        x, w = rng.random((3, columns)), rng.random(3)
        args = (w, np.array([0, 1, 0]), x, np.zeros((2, columns)))
        yield "scattered_rows", args, {}
        yield "rows_scaled", (torch.tensor(x), torch.tensor(w)), {}
        yield "lambda x, w: Scaler(w)(x)", (x, w), {}
