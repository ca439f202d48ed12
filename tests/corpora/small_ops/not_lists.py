# refuse: what is read item by item is a list, a tuple or a dictionary, and no array
import numpy as np


def listed(x: np.ndarray):
    a = x.tolist()
    out = np.zeros(len(a))
    for i in range(len(a)):
        out[i] = a[i] * 2
    return out


def taps(a: list[float]):
    w = [0.25, 0.5, 0.25]
    n = len(a)
    d = np.zeros(n - 2)
    for i in range(n - 2):
        for k in range(3):
            d[i] += w[k] * a[i + k]
    return d


def products(a: "list[list[float]]", b: "list[list[float]]"):
    g = np.zeros((len(a), len(b)))
    for i in range(len(a)):
        for j in range(len(b)):
            g[i, j] = np.dot(a[i], b[j])
    return g


def rest(*a):
    d = np.zeros(len(a))
    for i in range(len(a)):
        d[i] = a[i] + 1.0
    return d


def default(n, a=(1.0, 2.0, 3.0)):
    d = np.zeros(n)
    for i in range(n):
        d[i] = a[i] * 2.0
    return d


WEIGHTS = [1.0, 2.0, 3.0]


def constants(x: np.ndarray):
    d = np.zeros(3)
    for i in range(3):
        d[i] = WEIGHTS[i] * x[i]
    return d


def appended(n):
    a = []
    for i in range(n):
        a.append(i * 0.5)
    d = np.zeros(n)
    for i in range(n):
        d[i] = a[i] * 2.0
    return d


def keyed(n):
    a = {i: 2.0 * i for i in range(n)}
    d = np.zeros(n)
    for i in range(n):
        d[i] = a[i] * 2.0
    return d


def either(x, n):
    a = None
    if n > 3:
        a = x.tolist()
    else:
        a = x
    d = np.zeros(n)
    for i in range(n):
        d[i] = a[i] * 2.0
    return d


class Filter:
    def __init__(self, x):
        self.a = list(x)

    def run(self, n):
        d = np.zeros(n)
        for i in range(n):
            d[i] = self.a[i] * 2.0
        return d


def cases(rng):
    for n in (3, 5):
        numbers = rng.standard_normal(n).tolist()
        yield "listed", (rng.standard_normal(n),), {}
        yield "taps", (numbers,), {}
        yield (
            "products",
            (rng.standard_normal((n, 2)).tolist(), rng.standard_normal((4, 2)).tolist()),
            {},
        )
        yield "rest", tuple(numbers), {}
        yield "default", (3,), {}
        yield "constants", (rng.standard_normal(3),), {}
        yield "appended", (n,), {}
        yield "keyed", (n,), {}
        yield "either", (rng.standard_normal(n), n), {}
        yield "Filter([1.0, 2.0, 3.0]).run", (3,), {}
