# expect: LOC305 safe scope=kernel_sum
# expect: LOC305 safe scope=spread
# expect: LOC305 safe scope=density
# expect: LOC305 safe scope=potential
import math

import numpy as np


def kernel_sum(x, y):
    total = 0.0
    for i in range(x.shape[0]):
        for j in range(y.shape[0]):
            total += math.exp(-((x[i] - y[j]) ** 2))
    return total


def spread(x: np.ndarray, y: np.ndarray):
    length, weight = 0.0, 0
    for i in range(x.shape[0]):
        for j in range(i + 1, x.shape[0]):
            d = 1 + math.hypot(x[i] - x[j], y[i] - y[j])
            length += d
            weight -= 2 / d**2
    return length, weight


def density(grid: np.ndarray, data: np.ndarray, h: float):
    out = np.zeros(grid.shape[0])
    for i in range(grid.shape[0]):
        for j in range(data.shape[0]):
            out[i] += math.exp(
                -0.5 * ((grid[i] - data[j]) / h) ** 2  # no constant yet
            )
    return out


def potential(p: np.ndarray, q: np.ndarray):
    n = p.shape[0]
    energy = 0.0
    for i in range(n):
        for j in range(i + 1, n):
            d = p[i] - p[j]
            energy += q[i] * q[j] / math.sqrt(d @ d)
    return energy


def cases(rng):
    for kind in (np.float64, np.float32, np.float16):
        x, y = (rng.standard_normal(n).astype(kind) for n in (7, 5))
        p, q = rng.standard_normal((5, 3)).astype(kind), rng.random(5).astype(kind)
        yield "kernel_sum", (x, y), {}
        yield "spread", (y, q), {}
        yield "density", (x, y, 0.5), {}
        yield "potential", (p, q), {}
