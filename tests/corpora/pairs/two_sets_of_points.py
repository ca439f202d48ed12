# expect: LOC305 safe scope=f
import numpy as np


def f(x, m, G=1.0, eps=0.1):
    y = x * 2
    s = np.zeros((len(x),))
    for i in range(len(x)):
        for j in range(len(y)):
            s[i] += np.exp(-(np.linalg.norm(x[i] - y[j]) ** 2))
    return s


def cases(rng):
    for n in (1, 2, 9):
        yield "f", (rng.standard_normal((n, 3)), rng.uniform(1, 2, n)), {}
