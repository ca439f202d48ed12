# expect: LOC305 safe scope=energy
# expect: LOC305 safe scope=lengths
# expect: LOC306 safe scope=outer
# expect: LOC302 safe scope=smoothed
# expect: LOC306 safe scope=squared_sines
# expect: LOC306 safe scope=enumerated
# expect: LOC301 safe scope=product_of
# expect: LOC305 safe scope=repeated
import itertools
from itertools import combinations, product

import numpy as np
import torch


def energy(points: np.ndarray, masses: np.ndarray):
    total = 0.0
    for i, j in combinations(range(len(points)), 2):
        total += masses[i] * masses[j] / np.linalg.norm(points[i] - points[j])
    return total


def lengths(points: np.ndarray):
    total = 0.0
    for a, b in itertools.combinations(points, 2):
        total += np.linalg.norm(a - b)
    return total


def outer(a: np.ndarray, b: np.ndarray):
    out = np.zeros((len(a), len(b)))
    for i, j in product(range(len(a)), range(len(b))):
        out[i, j] = a[i] * b[j]
    return out


def smoothed(image: np.ndarray):
    out = np.zeros_like(image)
    h, w = image.shape
    for i, j in product(range(1, h - 1), range(1, w - 1)):
        out[i, j] = (image[i - 1, j] + image[i + 1, j] + image[i, j - 1] + image[i, j + 1]) / 4
    return out


def squared_sines(a: np.ndarray):
    out = np.zeros(a.shape)
    for i, j in np.ndindex(*a.shape):
        out[i, j] = np.sin(a[i, j]) ** 2
    return out


def enumerated(a: np.ndarray):
    out = np.zeros(a.shape)
    for (i, j), value in np.ndenumerate(a):
        out[i, j] = np.sin(value) ** 2
    return out


def product_of(a: torch.Tensor, b: torch.Tensor):
    n, k = a.shape
    k, m = b.shape
    c = torch.zeros(n, m)
    for i, j, l in product(range(n), range(m), range(k)):
        c[i, j] += a[i, l] * b[l, j]
    return c


def repeated(x: np.ndarray):
    total = 0.0
    for i, j in product(range(len(x)), repeat=2):
        total += abs(x[i] - x[j])
    return total


def cases(rng):
    for n in (1, 5):
        points = rng.normal(size=(n, 3))
        yield "energy", (points, rng.uniform(1, 2, n)), {}
        yield "lengths", (points,), {}
        yield "outer", (rng.normal(size=n), rng.normal(size=4)), {}
        yield "smoothed", (rng.normal(size=(n + 2, 4)),), {}
        yield "squared_sines", (points,), {}
        yield "enumerated", (points,), {}
        draw = lambda *shape: torch.tensor(rng.normal(size=shape), dtype=torch.float32)
        yield "product_of", (draw(n, 3), draw(3, 2)), {}
        yield "repeated", (rng.normal(size=n),), {}
