# expect: ASC107 safe scope=named
# expect: ASC107 safe scope=by_place
# expect: ASC107 safe scope=copied
"""Each step is written over the array of the step before."""

import numpy as np
from scipy import special

temperature = special.expit(0.0)


def named(logits):
    z = logits - logits.max(axis=-1, keepdims=True)
    np.exp(z, out=z)
    np.divide(z, z.sum(axis=-1, keepdims=True), out=z)
    return z


def by_place(logits):
    z = logits - logits.max(axis=1, keepdims=True)
    np.exp(z, z)
    z /= z.sum(axis=1, keepdims=True)
    return z


def copied(logits):
    z = logits.copy()
    z -= z.max(axis=1, keepdims=True)
    np.exp(z, out=z)
    z /= z.sum(axis=1, keepdims=True)
    return z


def cases(rng):
    for shape in [(3, 5), (1, 2), (2, 1)]:
        for name in ("named", "by_place", "copied"):
            yield name, (rng.normal(size=shape),), {}
            yield name, (rng.normal(size=shape).astype(np.float32),), {}
