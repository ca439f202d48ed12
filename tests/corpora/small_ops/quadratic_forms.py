# expect: LOC301 safe scope=forms
import numpy as np


def forms(covariances, means):
    """A matrix stands between two vectors, whatever name it has."""
    out = np.empty(means.shape[0])
    for c in range(means.shape[0]):
        mean = means[c]
        spread = covariances[c]
        out[c] = mean @ spread @ mean
    return out


def cases(rng):
    yield "forms", (rng.normal(size=(5, 4, 4)), rng.normal(size=(5, 4))), {}
    yield "forms", (rng.normal(size=(1, 2, 2)), rng.normal(size=(1, 2))), {}
