# expect: LOC306 safe scope=periodic
# expect: LOC306 safe scope=named
# expect: LOC306 safe scope=clamped
# expect: LOC306 safe scope=held
# expect: LOC306 safe scope=upsampled
# expect: LOC301 safe scope=turned
# expect: LOC306 safe scope=paired
"""Neighbours across a border that wraps around or is repeated, and pixels taken several times."""

import numpy as np
import torch


def periodic(u):
    n, m = u.shape
    out = np.empty((n, m))
    for i in range(n):
        for j in range(m):
            out[i, j] = (
                u[(i + 1) % n, j]
                + u[(i - 1) % n, j]
                + u[i, (j + 1) % m]
                + u[(i + 1) % n, (j - 1 + m) % m]
                - 4 * u[i, j]
            )
    return out


def named(u: torch.Tensor, rate: float):
    n, m = u.shape
    out = torch.zeros_like(u)
    for i in range(n):
        up, down = (i - 1) % n, (i + 1) % n
        for j in range(m):
            left = (j - 1) % m
            out[i, j] = u[i, j] + rate * (u[up, j] + u[down, j] + u[i, left] - 3 * u[i, j])
    return out


def clamped(image):
    h, w = image.shape
    gx, gy = np.zeros((h, w)), np.zeros((h, w))
    for y in range(h):
        for x in range(w):
            gx[y, x] = (image[y, min(x + 1, w - 1)] - image[y, max(x - 1, 0)]) / 2.0
            gy[y, x] = (image[min(y + 1, h - 1), x] - image[max(y - 1, 0), x]) / 2.0
    return gx, gy


def held(x: torch.Tensor, shift: int):
    n, d = x.shape
    out = torch.zeros_like(x)
    for i in range(n):
        source = min(max(i - shift, 0), n - 1)
        out[i] = x[source]
    return out


def upsampled(image, s):
    c, h, w = image.shape
    out = np.zeros((c, h * s, w * s), dtype=image.dtype)
    for k in range(c):
        for y in range(h * s):
            for x in range(w * s):
                out[k, y, x] = image[k, y // s, x // s]
    return out


def turned(x: np.ndarray, w: np.ndarray):
    n, m = x.shape
    (m,) = w.shape
    out = np.zeros(n)
    for i in range(n):
        for j in range(m):
            out[i] += w[j] * x[i, (j + 1) % m]
    return out


def paired(x: np.ndarray):
    n = x.shape[0]
    out = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            out[i, j] = x[(i * j) % n]
    return out


def cases(rng):
    for shape in ((4, 5), (1, 1), (2, 1), (3, 2)):
        u = rng.normal(size=shape)
        yield "periodic", (u,), {}
        yield "periodic", (rng.integers(0, 9, size=shape),), {}
        yield "named", (torch.tensor(u, requires_grad=True), 0.1), {}
        yield "clamped", (u,), {}
        for shift in (2, 0, -9):
            yield "held", (torch.tensor(u, requires_grad=True), shift), {}
        yield "turned", (u, rng.normal(size=shape[1])), {}
    yield "paired", (rng.normal(size=5),), {}
    yield "periodic", (np.zeros((0, 3)),), {}
    yield "clamped", (np.zeros((3, 0)),), {}
    for s in (1, 2, 3):
        yield "upsampled", (rng.normal(size=(2, 3, 2)).astype(np.float32), s), {}
