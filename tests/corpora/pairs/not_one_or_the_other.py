# refuse: LOC305 pairs that do not count are counted elsewhere
import numpy as np


def f(x, m):
    n = len(x)
    near = 0.0
    far = 0.0
    for i in range(n):
        for j in range(n):
            d = np.sum((x[i] - x[j]) ** 2)
            if d < 1.5:
                near += m[i] * d
            else:
                far += m[j]
    return near, far


def cases(rng):
    for n in (1, 2, 9):
        yield "f", (rng.standard_normal((n, 3)), rng.uniform(1, 2, n)), {}
