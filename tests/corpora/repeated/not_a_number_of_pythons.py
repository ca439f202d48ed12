# refuse: a number of Python's has another type than one of NumPy's, and may not divide by 0
import numpy as np


def inverse_of_a_total(w: np.ndarray):
    total = sum(float(v) for v in w)
    return total, 1.0 / w.sum()


def largest(w: np.ndarray):
    top = max(float(v) for v in w)
    return top, w.max()


def as_a_number(w: np.ndarray):
    total = sum(float(v) for v in w)
    return total, w.sum().item()


def product(w: np.ndarray, x: np.ndarray):
    total = sum(float(a) * float(b) for a, b in zip(w, x))
    return total, np.dot(w, x)


def cases(rng):
    for w in (rng.random(4), np.array([2, 1, 4]), rng.random(3).astype(np.float32)):
        yield "inverse_of_a_total", (w,), {}
        yield "largest", (w,), {}
        yield "as_a_number", (w,), {}
        yield "product", (w, w + 1), {}
