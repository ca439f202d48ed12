# refuse: SYM601 nothing is known of what the metric does

import numpy as np


def table(values, metric):
    n = len(values)
    out = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            out[i, j] = metric(values[i], values[j])
    return out


def cases(rng):
    yield "lambda values: table(values, lambda a, b: a - 2 * b)", ([1.0, 2.0, 4.0],), {}
