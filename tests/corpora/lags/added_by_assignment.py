# expect: SYM604 safe scope=causal
# expect: SYM604 safe scope=turned
# expect: SYM604 safe scope=under_a_condition
import numpy as np


def causal(x: np.ndarray, h: np.ndarray):
    n = len(x)
    y = np.zeros(n)
    for t in range(n):
        acc = 0.0
        for s in range(t + 1):
            acc = acc + h[t - s] * x[s]
        y[t] = acc
    return y


def turned(x: np.ndarray, h: np.ndarray):
    n = len(x)
    y = np.zeros(n)
    for t in range(n):
        for s in range(t + 1):
            y[t] = h[s] * x[t - s] + y[t]
    return y


def under_a_condition(x: np.ndarray, h: np.ndarray):
    n, m = len(x), len(h)
    y = np.zeros(n)
    for t in range(n):
        for k in range(m):
            if t >= k:
                y[t] = y[t] + h[k] * x[t - k]
    return y


def cases(rng):
    for n in (7, 1, 0):
        for name in ("causal", "turned", "under_a_condition"):
            yield name, (rng.normal(size=n), rng.normal(size=n)), {}
        yield "under_a_condition", (rng.normal(size=2 * n)[::2], rng.normal(size=3)), {}
