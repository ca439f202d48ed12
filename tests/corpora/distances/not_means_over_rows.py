# refuse: what is summed is divided by another number, or the mean is over the rows
import numpy as np


def over_rows(x: np.ndarray, y: np.ndarray):
    n, d = x.shape
    m, d = y.shape
    return ((x[:, None, :] - y[None, :, :]) ** 2).mean(1)


def halves(x: np.ndarray, y: np.ndarray):
    n, d = x.shape
    m, d = y.shape
    apart = x[:, None, :].astype(np.int64) - y[None, :, :].astype(np.int64)
    return (apart**2).mean(2)


def cases(rng):
    for n, m, d in ((4, 3, 5), (1, 2, 1)):
        x, y = rng.normal(size=(n, d)), rng.normal(size=(m, d))
        yield "over_rows", (x, y), {}
        yield "halves", (10 * x, 10 * y), {}
