# refuse: ASC101 the powers are of the place itself, of twice the distance, of a base that moves
# refuse: ASC101 or only a window is added up
import numpy as np


def by_place(r: list[float], g: float):
    return [sum(g**k * r[k] for k in range(t, len(r))) for t in range(len(r))]


def twice(r: list[float], g: float):
    return [sum(g ** (2 * (k - t)) * r[k] for k in range(t, len(r))) for t in range(len(r))]


def moving(r: list[float], g: list[float]):
    return [sum(g[t] ** (k - t) * r[k] for k in range(t, len(r))) for t in range(len(r))]


def windowed(r: list[float], g: float):
    return [sum(g ** (k - t) * r[k] for k in range(t, t + 3)) for t in range(len(r) - 3)]


def clipped(r: np.ndarray, g: float):
    n = len(r)
    out = np.zeros(n)
    for t in range(n):
        for k in range(t, min(t + 5, n)):
            out[t] += g ** (k - t) * r[k]
    return out


def cases(rng):
    def L(n):
        return [float(v) for v in rng.normal(size=n)]

    for n in (7, 1):
        yield "by_place", (L(n), 0.9), {}
        yield "twice", (L(n), 0.9), {}
        yield "moving", (L(n), L(n)), {}
        yield "clipped", (rng.normal(size=n), 0.9), {}
        yield "windowed", (L(n), 0.9), {}
