# refuse: ASC108 the deviations are not squared, the mean is of another axis or of another array
import numpy as np


def absolute(x, eps=1e-5):
    mean = x.mean(axis=-1, keepdims=True)
    return (x - mean) / (np.abs(x - mean).mean(axis=-1, keepdims=True) + eps)


def across(x, eps=1e-5):
    mean = x.mean(axis=0, keepdims=True)
    return (x - mean) / np.sqrt(x.var(axis=-1, keepdims=True) + eps)


def of_two(x, y):
    return np.var(x, axis=0), np.mean(y, axis=0)


def unit(x):
    return x / np.sqrt((x**2).sum(axis=-1, keepdims=True))


def cases(rng):
    for shape in ((3, 5), (2, 1)):
        x = rng.normal(size=shape)
        yield "absolute", (x,), {}
        yield "across", (x,), {}
        yield "of_two", (x, x[::-1]), {}
        yield "unit", (x,), {}
