# refuse: what stands beyond the ends is something else, or is computed with as no array's zero is
import numpy as np


def one_beyond(u: np.ndarray):
    n = len(u)
    out = np.zeros(n)
    for i in range(n):
        out[i] = u[i] + (u[i - 1] if i > 0 else 1.0)
    return out


def too_strict(u: np.ndarray):
    n = len(u)
    out = np.zeros(n)
    for i in range(n):
        out[i] = u[i] + (u[i - 1] if i > 1 else 0.0)
    return out


def divided_by_it(u: np.ndarray):
    n = len(u)
    out = np.zeros(n)
    for i in range(n):
        left = u[i - 1] if i > 0 else 0.0
        out[i] = u[i] / (left + left)
    return out


def divided_alone(u: np.ndarray, k):
    n = len(u)
    out = np.zeros(n)
    for i in range(n):
        left = u[i - 1] if i > 0 else 0
        twice = left + left
        out[i] = twice / k
    return out


def of_itself(u: np.ndarray):
    n = len(u)
    for i in range(n):
        left = u[i - 1] if i > 0 else u[n - 1]
        u[i] = left + u[i]
    return u


def two_apart(u: np.ndarray):
    n = len(u)
    out = np.zeros(n)
    for i in range(n):
        out[i] = u[i] + (u[i - 2] if i > 1 else u[i])
    return out


def of_fewer(u: np.ndarray):
    n = len(u) - 1
    out = np.zeros(n)
    for i in range(n):
        out[i] = u[i] + (u[i - 1] if i > 0 else u[-1])
    return out


def filled_again(u, steps):
    n, m = u.shape
    new = np.zeros_like(u)
    for _ in range(steps):
        for i in range(n):
            for j in range(m):
                up = u[i - 1, j] if i > 0 else 0.0
                new[i, j] = up + u[i, j]
        u = new
    return u


def cases(rng):
    for name in ("one_beyond", "too_strict", "divided_by_it", "of_itself", "two_apart", "of_fewer"):
        yield name, (rng.standard_normal(5),), {}
    yield "divided_alone", (np.zeros(3), 1.0), {}
    yield "filled_again", (rng.standard_normal((3, 4)), 2), {}
