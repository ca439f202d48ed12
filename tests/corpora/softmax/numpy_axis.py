# expect: ASC107 any scope=softmax
import numpy as np


def softmax(x, axis=-1):
    x = x - np.max(x, axis=axis, keepdims=True)
    e = np.exp(x)
    return e / np.sum(e, axis=axis, keepdims=True)


def cases(rng):
    x = 30 * rng.standard_normal((3, 4, 6))
    for axis in (-1, 0):
        yield "softmax", (x, axis), {}
    yield "softmax", (x.astype(np.float32),), {}
