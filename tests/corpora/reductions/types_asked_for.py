# expect: ASC106 safe scope=asserted
# expect: ASC106 safe scope=refused_else
# expect: ASC106 safe scope=made
# expect: ASC106 safe scope=branch
import numpy as np


def asserted(x):
    assert isinstance(x, np.ndarray)
    total = 0.0
    for i in range(len(x)):
        total += x[i] ** 2
    return total


def refused_else(x):
    if not isinstance(x, np.ndarray):
        raise TypeError("an array is needed")
    total = 0.0
    for i in range(len(x)):
        total += x[i] ** 2
    return total


def made(x):
    if not isinstance(x, np.ndarray):
        x = np.asarray(x)
    total = 0.0
    for i in range(len(x)):
        total += x[i] ** 2
    return total


def branch(x):
    if hasattr(x, "shape"):
        total = 0.0
        for i in range(len(x)):
            total += x[i] ** 2
        return total
    return x


def cases(rng):
    for name in ("asserted", "refused_else", "made", "branch"):
        yield name, (rng.standard_normal(7),), {}
    yield "made", ([1.0, 2.0],), {}
    yield "branch", ([1.0, 2.0],), {}
