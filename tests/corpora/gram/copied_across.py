# expect: SYM602 safe scope=covariance

import numpy as np


def covariance(X: np.ndarray):
    samples, features = X.shape
    cov = np.zeros((features, features))
    for a in range(features):
        for b in range(a, features):
            for s in range(samples):
                cov[a, b] += X[s, a] * X[s, b]
            cov[a, b] /= samples
            if a != b:
                cov[b, a] = cov[a, b]
    return cov


def cases(rng):
    for shape in ((5, 3), (1, 4), (7, 1)):
        yield "covariance", (rng.random(shape),), {}
