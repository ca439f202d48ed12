# expect: SYM603 advice scope=of_a_list
# expect: SYM603 advice scope=in_loops
# expect: SYM603 advice scope=back
# expect: SYM603 advice scope=by_matrix
# expect: SYM603 advice scope=rows
# expect: SYM603 advice scope=real
import cmath

import numpy as np


def of_a_list(x):
    n, out = len(x), []
    for k in range(n):
        s = 0
        for t in range(n):
            s += x[t] * cmath.exp(-2j * cmath.pi * k * t / n)
        out.append(s)
    return out


def in_loops(x: np.ndarray):
    n = len(x)
    out = np.zeros(n, dtype=complex)
    for k in range(n):
        for t in range(n):
            out[k] += x[t] * np.exp(-2j * np.pi * k * t / n)
    return out


def back(x: np.ndarray):
    n = len(x)
    out = np.zeros(n, dtype=complex)
    for k in range(n):
        s = 0
        for t in range(n):
            s += x[t] * np.exp(2j * np.pi * k * t / n)
        out[k] = s / n
    return out


def by_matrix(x: np.ndarray):
    n = x.shape[0]
    k = np.arange(n)
    return np.exp(-2j * np.pi * np.outer(k, k) / n) @ x


def rows(x: np.ndarray):
    n = len(x)
    t = np.arange(n)
    return np.array([np.sum(x * np.exp(-2j * np.pi * k * t / n)) for k in range(n)])


def real(x: list[float]):
    n, tau = len(x), cmath.tau
    return [sum(x[t] * np.cos(tau * k * t / n) for t in range(n)) for k in range(n)]


def cases(rng):
    def L(n):
        return [float(v) for v in rng.normal(size=n)]

    for n in (7, 1):
        yield "of_a_list", (L(n),), {}
        yield "real", (L(n),), {}
        for name in ("in_loops", "back", "by_matrix", "rows"):
            yield name, (rng.normal(size=n),), {}
