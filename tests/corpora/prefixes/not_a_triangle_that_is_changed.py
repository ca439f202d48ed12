# refuse: ASC105 the triangle is changed before it is used
import numpy as np


def doubled(x: np.ndarray):
    (n,) = x.shape
    ones = np.tril(np.ones((n, n)))
    np.multiply(ones, 2, ones)
    return ones @ x


def through_a_view(x: np.ndarray):
    (n,) = x.shape
    ones = np.tril(np.ones((n, n)))
    np.squeeze(ones)[0] = 5
    return ones @ x


def shuffled(x: np.ndarray):
    (n,) = x.shape
    ones = np.tril(np.ones((n, n)))
    np.random.shuffle(ones)
    return ones @ x


def cases(rng):
    for name in ("doubled", "through_a_view", "shuffled"):
        yield name, (rng.standard_normal(5),), {}
