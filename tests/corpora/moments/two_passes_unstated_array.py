# expect: ASC108 advice scope=standardize
import numpy as np


def standardize(X):
    mu = X.mean(axis=0)
    sigma2 = np.mean((X - mu) ** 2, axis=0)
    return (X - mu) / np.sqrt(sigma2 + 1e-6)


def cases(rng):
    def N(*s):
        return rng.standard_normal(s)

    for args in [(N(7, 3),), (N(2, 3),)]:
        yield "standardize", args, {}
