# expect: LOC306 safe scope=grey
# expect: LOC306 safe scope=points
# expect: LOC306 safe scope=numbered
# expect: LOC306 safe scope=of_a_row
"""Rows of a known length, whose elements get names."""

import numpy as np


def grey(img: np.ndarray):
    h, w, c = img.shape
    g = np.zeros((h, w))
    for y in range(h):
        for x in range(w):
            r, gg, b = img[y, x]
            g[y, x] = 0.299 * r + 0.587 * gg + 0.114 * b
    return g


def points(pts: np.ndarray):
    assert pts.ndim == 2
    return np.array([x * x + y for x, y in pts])


def numbered(pts: np.ndarray):
    n, d = pts.shape
    out = np.zeros(n)
    for i, (x, y) in enumerate(pts):
        out[i] = x - y if x > y else y
    return out


def of_a_row(edges: np.ndarray):
    n, d = edges.shape
    out = np.zeros(n)
    for i in range(n):
        row = edges[i]
        u, v, length = row
        out[i] = length * (u + v)
    return out


def cases(rng):
    for h, w in ((1, 1), (4, 3), (1, 5)):
        for dtype in (float, np.float32, int):
            yield "grey", ((9 * rng.standard_normal((h, w, 3))).astype(dtype),), {}
            yield "points", ((9 * rng.standard_normal((h, 2))).astype(dtype),), {}
        yield "grey", (rng.standard_normal((3, w, h)).T,), {}
        yield "numbered", (rng.standard_normal((2, w)).T,), {}
        yield "of_a_row", (rng.standard_normal((w, 3)),), {}
