# refuse: what is done with arrays says nothing of the lists that the loops walk
import numpy as np


def after_return(x):
    if isinstance(x, np.ndarray):
        return x.sum(), x.shape
    total = 0
    for i in range(len(x)):
        total += x[i] * x[i]
    return total, None


def asked(x):
    n = x.shape[0] if hasattr(x, "shape") else len(x)
    total = 0
    for i in range(n):
        total += x[i] * x[i]
    return total


def tried(x):
    try:
        return x.mean()
    except AttributeError:
        pass
    total = 0.0
    for i in range(len(x)):
        total += x[i] ** 2
    return total


def filled(x):
    out = np.zeros(len(x))
    for i in range(len(x)):
        out[i] = x[i] * 2
    return out.tolist() if isinstance(x, list) else out


def of_another(xs):
    def shape(xs):
        return xs.shape, xs.T

    total = 0.0
    for i in range(len(xs)):
        total += xs[i] ** 2
    return total, shape(np.array(xs)), (lambda xs: xs.mean())(np.array(xs))


def typed(x):
    if type(x) is list:
        total = 0.0
        for i in range(len(x)):
            total += x[i] ** 2
        return total
    return (x**2).sum() + x.shape[0]


def cases(rng):
    for name in ("after_return", "asked", "tried", "filled", "of_another", "typed"):
        yield name, ([1.0, 2.5, 3.0],), {}
