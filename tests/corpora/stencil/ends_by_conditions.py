# expect: LOC302 safe scope=cooled
# expect: LOC306 safe scope=drained
# expect: LOC306 safe scope=insulated
# expect: LOC306 safe scope=advected
import numpy as np


def cooled(t, k, steps):
    n, m = t.shape
    t = t.copy()
    for _ in range(steps):
        new = np.zeros_like(t)
        for i in range(n):
            for j in range(m):
                up = t[i - 1, j] if i > 0 else 0.0
                down = t[i + 1, j] if i < n - 1 else 0.0
                new[i, j] = t[i, j] + k * (up + down - 2 * t[i, j])
        t = new
    return t


def drained(u: np.ndarray, dx):
    n = len(u)
    out = np.zeros(n)
    for i in range(n):
        here = u[i]
        if i == 0:
            before = 0
        else:
            before = u[i - 1]
        out[i] = (here - before) / dx
    return out


def insulated(u: np.ndarray, dx):
    n = len(u)
    out = np.empty(n)
    for i in range(n):
        left = u[i - 1] if i > 0 else u[i]
        right = u[i + 1] if i + 1 < n else u[n - 1]
        out[i] = (left - 2 * u[i] + right) / dx**2
    return out


def advected(u, c):
    (n,) = u.shape
    out = np.zeros(n)
    for i in range(n):
        if i == 0:
            west = u[-1]
        else:
            west = u[i - 1]
        out[i] = u[i] - c * (u[i] - west)
    return out


def cases(rng):
    for n in (6, 1, 2):
        yield "drained", (rng.standard_normal(n), 0.5), {}
        yield "drained", (rng.standard_normal(n), 0.0), {}
        yield "insulated", (rng.standard_normal(n), 0.5), {}
        yield "advected", (rng.standard_normal(n).astype("float32"), 0.5), {}
    for shape in ((5, 4), (1, 1), (1, 3), (0, 2)):
        yield "cooled", (rng.standard_normal(shape), 0.1, 3), {}
