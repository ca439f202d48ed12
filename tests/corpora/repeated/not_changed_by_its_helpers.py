# refuse: RED501 what a helper divides in place is made anew for each call
# refuse: RED502 a helper divides what it is given in place, by whatever name
import numpy as np


def normalise(v):
    v /= v.sum()
    return v


def halve(a):
    b = a
    b *= 0.5
    return b.sum()


def shift(a, c):
    if c:
        a += 0.5
    return a.sum()


def onto(a, out=None):
    if out is None:
        out = a
    out += 1
    return out


def through(a):
    return normalise(a).max()


def temper(logits, t):
    logits /= t
    return np.exp(logits).sum()


def kl(logits: np.ndarray):
    p = normalise(np.exp(logits))
    z = np.log(np.exp(logits).sum())
    return p * z


def half(x: np.ndarray):
    return halve(np.exp(x)) + np.exp(x).max()


def shifted(x: np.ndarray):
    v = np.exp(x)
    shift(v, True)
    return v * np.exp(x).sum()


def onward(x: np.ndarray):
    return onto(np.exp(x)).sum() - np.exp(x).max()


def deeper(x: np.ndarray):
    return through(np.exp(x)) - np.exp(x).max()


def best(h: np.ndarray, w: np.ndarray, ts: list[float]):
    most = 0.0
    for t in ts:
        most = max(most, temper(h @ w, t))
    return most


class Cell:
    def __init__(self, w: np.ndarray):
        self.w = w

    def noise(self, v, k):
        v += k
        return v.sum()

    def run(self, x: np.ndarray, k: float):
        return self.noise(x @ self.w, k) - (x @ self.w).max()


def cases(rng):
    x = rng.standard_normal(5)
    for name in ("kl", "half", "shifted", "onward", "deeper"):
        yield name, (x,), {}
    yield "best", (x, rng.standard_normal((5, 3)), [0.5, 2.0, 1.0]), {}
    yield "Cell(np.eye(5)).run", (x, 1.5), {}
