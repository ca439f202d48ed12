# expect: LOC306 unsafe scope=scaled
# expect: LOC306 unsafe scope=apart
# expect: LOC306 advice scope=weighted
# refuse: SEP205 the vectors are taken one by one
"""Lists of what is computed of rows, of which nothing says how many axes they have."""

import numpy as np


def scaled(x, w):
    out = []
    for i in range(len(x)):
        out.append(np.tanh(x[i] * w))
    return np.stack(out)


def apart(a, b):
    return np.array([np.sqrt(np.sum((p - q) ** 2)) for p, q in zip(a, b)])


def weighted(x, s):
    return np.stack([x[i] * s[i] for i in range(x.shape[0])])


def cases(rng):
    yield "scaled", (rng.standard_normal((4, 3)), rng.standard_normal(3)), {}
    yield "apart", (rng.standard_normal((4, 3)), rng.standard_normal((4, 3))), {}
    yield "weighted", (rng.standard_normal((4, 3)), rng.standard_normal(4)), {}
