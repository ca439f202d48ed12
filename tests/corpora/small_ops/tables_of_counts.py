# expect: LOC306 safe scope=positions
# expect: LOC306 safe scope=positions_of_tensors
# expect: LOC306 safe scope=by_halves
# expect: LOC306 safe scope=apart
# expect: LOC306 safe scope=bell
# expect: LOC306 safe scope=hilbert
# expect: LOC306 safe scope=window
# expect: LOC306 safe scope=powers
# expect: LOC306 safe scope=discounts
# expect: LOC306 safe scope=powers_of
# expect: LOC306 safe scope=halved
# expect: LOC306 safe scope=ramp
# expect: LOC306 safe scope=from_the_end
import math

import numpy as np
import torch


def positions(n: int, d: int):
    pe = np.zeros((n, d))
    for pos in range(n):
        for i in range(0, d, 2):
            pe[pos, i] = np.sin(pos / 10000 ** (i / d))
            pe[pos, i + 1] = np.cos(pos / 10000 ** (i / d))
    return pe


def positions_of_tensors(n: int, d: int):
    pe = torch.zeros(n, d)
    for pos in range(n):
        for i in range(0, d, 2):
            pe[pos, i] = math.sin(pos / (10000 ** ((2 * i) / d)))
            pe[pos, i + 1] = math.cos(pos / (10000 ** ((2 * (i + 1)) / d)))
    return pe


def by_halves(n: int, d: int):
    pe = np.zeros((n, d))
    for pos in range(n):
        for i in range(d // 2):
            angle = pos / 10000 ** (2 * i / d)
            pe[pos, 2 * i] = np.sin(angle)
            pe[pos, 2 * i + 1] = np.cos(angle)
    return pe


def apart(n: int):
    out = np.zeros((n, n), dtype=int)
    for i in range(n):
        for j in range(n):
            out[i, j] = abs(i - j)
    return out


def bell(n: int, s: float):
    k = np.zeros((n, n))
    c = n // 2
    for i in range(n):
        for j in range(n):
            k[i, j] = np.exp(-((i - c) ** 2 + (j - c) ** 2) / (2 * s**2))
    return k / k.sum()


def hilbert(n: int):
    h = torch.zeros(n, n, dtype=torch.float64)
    for i in range(n):
        for j in range(n):
            h[i, j] = 1 / (i + j + 1)
    return h


def window(n: int):
    w = torch.zeros(n)
    for i in range(n):
        w[i] = 0.5 * (1 - math.cos(2 * math.pi * i / (n + 1)))
    return w


def powers(x: np.ndarray, m: int):
    n = len(x)
    out = np.zeros((n, m))
    for i in range(n):
        for j in range(m):
            out[i, j] = x[i] ** j
    return out


def discounts(n: int):
    out = torch.zeros(n)
    for i in range(n):
        out[i] = 0.99 ** (n - 1 - i)
    return out


def powers_of(n: int, r: float):
    out = np.zeros(n)
    for i in range(n):
        out[i] = r**i
    return out


def halved(n: int):
    out = np.zeros(n, dtype=int)
    for i in range(n):
        out[i] = i / 2
    return out


def ramp(x: np.ndarray):
    n = len(x)
    out = np.zeros(n)
    for i, value in enumerate(x):
        out[i] = value * (i + 1) / n
    return out


def from_the_end(n: int):
    out = np.zeros(n)
    for i in range(2, n):
        out[i] = min(i, n - i) * 0.5
    return out


def cases(rng):
    for n, d in ((5, 4), (1, 2), (3, 8), (0, 2)):
        yield "positions", (n, d), {}
        yield "positions_of_tensors", (n, d), {}
        yield "by_halves", (n, d), {}
    for n in (5, 1, 2, 70):
        yield "apart", (n,), {}
        yield "bell", (n, 1.5), {}
        yield "hilbert", (n,), {}
        yield "window", (n,), {}
        yield "discounts", (n,), {}
        yield "powers_of", (n, 0.9), {}
        yield "powers_of", (n, -2), {}
        yield "halved", (n,), {}
        yield "from_the_end", (n,), {}
        yield "ramp", (rng.normal(size=n),), {}
        yield "ramp", (rng.integers(0, 9, n),), {}
        yield "powers", (rng.normal(size=n), 4), {}
