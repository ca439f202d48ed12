# refuse: RED501 a function within, which the loop calls, changes what the term reads
import numpy as np


def elsewhere(a):
    def again():
        nonlocal a
        a = 1

    again()
    return a


def a_cell(a: np.ndarray, x: np.ndarray, n: int):
    def step(v):
        a[0, 0] += 1
        return v

    for _ in range(n):
        x = step(x) / np.linalg.norm(a, 2)
    return x


def another_name(a: np.ndarray, x: np.ndarray, n: int):
    def step(v):
        c = a
        c += 1
        return v

    for _ in range(n):
        x = step(x) / np.linalg.norm(a, 2)
    return x


def a_view(a: np.ndarray, x: np.ndarray, n: int):
    def step(v):
        row = a[0]
        row[:] = v[0]
        return v

    for _ in range(n):
        x = step(x) / np.linalg.norm(a, 2)
    return x


def handed_on(a: np.ndarray, rows: list):
    def step(v):
        a[0, 0] += 1
        return v

    return [float(v) / np.linalg.norm(a, 2) for v in map(step, rows)]


def cases(rng):
    for name in ("a_cell", "another_name", "a_view"):
        yield name, (rng.normal(size=(3, 3)), rng.normal(size=(3, 3)), 3), {}
    yield "handed_on", (rng.normal(size=(3, 3)), [1.0, 2.0, 3.0]), {}
    yield "elsewhere", (2,), {}
