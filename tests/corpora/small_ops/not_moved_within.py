# refuse: an array is written while it is read
import numpy as np


def palindrome(x: np.ndarray):
    (n,) = x.shape
    for i in range(n):
        x[n - 1 - i] = x[i]
    return x


def mirrored(x: np.ndarray):
    n, n = x.shape
    for i in range(n):
        for j in range(n):
            x[i, j] = x[j, i]
    return x


def handed_on(x: np.ndarray):
    (n,) = x.shape
    for i in range(n - 1):
        x[i + 1] = x[i]
    return x


def seen_through(x: np.ndarray):
    (n,) = x.shape
    y = x[:]
    for i in range(n):
        y[n - 1 - i] = x[i]
    return y, x


def one_too_far(x: np.ndarray):
    """The last step writes the last cell."""
    (n,) = x.shape
    y = np.zeros(n)
    for i in range(n):
        y[n - 2 - i] = x[i]
    return y


def cases(rng):
    for n in (5, 2):
        for name in ("palindrome", "handed_on", "seen_through", "one_too_far"):
            yield name, (rng.random(n),), {}
        yield "mirrored", (rng.random((n, n)),), {}
