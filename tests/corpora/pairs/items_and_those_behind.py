# expect: LOC305 safe scope=potential
# expect: LOC305 safe scope=spread
# expect: LOC305 safe scope=onto_each
# expect: LOC305 safe scope=those_before
import numpy as np


def potential(places: np.ndarray, charges: np.ndarray):
    u = 0.0
    for k, (p, a) in enumerate(zip(places, charges)):
        for r, b in zip(places[k + 1 :], charges[k + 1 :]):
            u += a * b / np.linalg.norm(p - r)
    return u


def spread(x: np.ndarray, y: np.ndarray):
    total = 0.0
    for a in x:
        for b in y:
            total += np.abs(a - b).sum()
    return total


def onto_each(x: np.ndarray):
    out = np.zeros(len(x))
    for i, a in enumerate(x):
        for j, b in enumerate(x[i + 1 :], start=i + 1):
            d = np.exp(-np.sum((a - b) ** 2))
            out[i] += d
            out[j] -= d
    return out


def those_before(x: np.ndarray, m: np.ndarray):
    energy = 0.0
    for i in range(x.shape[0]):
        for j in range(i):
            energy -= m[i] * m[j] / np.sqrt(np.sum((x[i] - x[j]) ** 2))
    return energy


def cases(rng):
    for n in (1, 2, 13):
        x, q = rng.standard_normal((n, 3)), rng.uniform(1, 2, n)
        yield "potential", (x, q), {}
        yield "potential", (x, q[: n // 2]), {}
        yield "spread", (x, rng.standard_normal((5, 3))), {}
        yield "onto_each", (x,), {}
        yield "those_before", (x, q), {}
