# refuse: the array is the caller's, or has another name
"""What is written over is seen elsewhere."""

import numpy as np
from scipy import special

temperature = special.expit(0.0)


def given(z):
    z -= z.max(axis=1, keepdims=True)
    np.exp(z, out=z)
    z /= z.sum(axis=1, keepdims=True)
    return z


def kept(logits):
    z = logits.copy()
    before = z
    z -= z.max(axis=1, keepdims=True)
    np.exp(z, out=z)
    z /= z.sum(axis=1, keepdims=True)
    return z + before


def into_another(logits, out):
    z = logits - logits.max(axis=1, keepdims=True)
    np.exp(z, out=out)
    out /= out.sum(axis=1, keepdims=True)
    return z


def only_where(logits):
    z = logits - logits.max(axis=1, keepdims=True)
    np.exp(z, out=z, where=z < -0.5)
    z /= z.sum(axis=1, keepdims=True)
    return z


def compared(logits):
    z = logits - logits.mean(axis=1, keepdims=True)
    np.greater(z, 0, out=z)
    z /= z.sum(axis=1, keepdims=True)
    return z


def cases(rng):
    for shape in [(3, 5), (2, 2)]:
        for name in ("given", "kept", "only_where", "compared"):
            yield name, (rng.normal(size=shape),), {}
        yield "into_another", (rng.normal(size=shape), np.zeros(shape)), {}
