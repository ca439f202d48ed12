# expect: SYM602 safe scope=centred

import numpy as np


def centred(X, mu):
    n, d = X.shape
    S = np.zeros((d, d))
    for i in range(n):
        for a in range(d):
            for b in range(d):
                S[a, b] += (X[i, a] - mu[a]) * (X[i, b] - mu[b])
    return S / n


def cases(rng):
    yield "centred", (rng.random((7, 3)), rng.random(3)), {}
