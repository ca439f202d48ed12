# refuse: RED502 the sizes of one of the two are others the second time
import numpy as np


def column(pred, y):
    one = np.mean((pred - y[:, None]) ** 2)
    return one / np.mean((pred - y) ** 2)


def bound_again(pred, y):
    one = np.mean((pred - y) ** 2)
    y = y[:, None]
    return one / np.mean((pred - y) ** 2)


def scaled(x, y):
    one = np.mean((x - y) ** 2)
    x = x * 2
    return one / np.mean((x - y) ** 2)


def turned(x, y):
    return np.mean(np.exp(x - y)) / np.mean(np.exp(y - x))


def cases(rng):
    x, y = rng.normal(size=(3, 3)), rng.normal(size=3)
    for name in ("column", "bound_again", "scaled", "turned"):
        yield name, (x, y), {}
