# refuse: beyond the ends something else than 0 would be added, or it is not told where these are
import numpy as np


def its_own_place(x):
    n, m = x.shape
    out = np.zeros((n, m))
    for i in range(n):
        for j in range(m):
            if i > 0:
                out[i, j] += x[i, j]
    return out


def flux(t):
    n, m = t.shape
    out = np.zeros((n, m))
    for i in range(n):
        for j in range(m):
            if i > 0:
                out[i, j] += t[i - 1, j] - t[i, j]
    return out


def too_strict(x):
    n, m = x.shape
    out = np.zeros((n, m))
    for i in range(n):
        for j in range(m):
            if i > 1:
                out[i, j] += x[i - 1, j]
    return out


def mean_of_those(x):
    n, m = x.shape
    out = np.zeros((n, m))
    for i in range(n):
        for j in range(m):
            s, k = 0.0, 0
            for d in (-1, 0, 1):
                if 0 <= i + d < n:
                    s += x[i + d, j]
                    k += 1
            out[i, j] = s / k
    return out


def divided(x):
    n, m = x.shape
    out = np.zeros((n, m))
    for i in range(n):
        for j in range(m):
            s = 0
            for d in (-1, 1):
                if 0 <= i + d < n:
                    s += x[i + d, j]
            out[i, j] = 1 / s
    return out


def weighted(x, weights):
    n, m = x.shape
    out = np.zeros((n, m))
    for i in range(n):
        for j in range(m):
            for d in (-1, 0, 1):
                if 0 <= i + d < n:
                    out[i, j] += x[i + d, j] * weights[d + 1]
    return out


def into_what_is_given(x, out):
    n, m = x.shape
    for i in range(n):
        for j in range(m):
            if i > 0:
                out[i, j] += x[i - 1, j]
    return out


def in_place(x):
    n, m = x.shape
    for i in range(n):
        for j in range(m):
            if i > 0:
                x[i, j] += x[i - 1, j]
    return x


def of_another_size(x, other):
    n, m = other.shape
    out = np.zeros((n, m))
    for i in range(n):
        for j in range(m):
            if i + 1 < n:
                out[i, j] += x[i + 1, j]
    return out


def of_the_other_axis(x):
    n, m = x.shape
    out = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            if j > 0:
                out[i, j] += x[i, j - 1]
    return out


def the_place_before(x):
    n, m = x.shape
    out = np.zeros((n, m))
    row = 0
    for i in range(n):
        for j in range(m):
            for d in (-1, 1):
                if 0 <= row < n:
                    out[i, j] += x[row, j]
                row = i + d
    return out


def rows_perhaps(x):
    n = x.shape[0]
    out = np.zeros_like(x)
    for i in range(n):
        for d in (-1, 1):
            if 0 <= i + d < n:
                out[i] += x[i + d]
    return out


def cases(rng):
    yield "rows_perhaps", (rng.standard_normal((3, 2)),), {}
    x = rng.standard_normal((4, 4))
    for name in ("its_own_place", "flux", "too_strict", "mean_of_those", "divided", "in_place"):
        yield name, (rng.standard_normal((3, 5)),), {}
    yield "weighted", (x, np.array([np.inf, 1.0, 2.0])), {}
    yield "into_what_is_given", (x, x), {}
    yield "of_another_size", (x, rng.standard_normal((3, 4))), {}
    yield "of_the_other_axis", (rng.standard_normal((3, 5)),), {}
    yield "the_place_before", (x,), {}
