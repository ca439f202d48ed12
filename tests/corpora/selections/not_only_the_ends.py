# refuse: RED505 what is sorted is another's, used as a whole, or ordered by a key of equals
import numpy as np


def anothers(x: np.ndarray):
    x.sort()
    return x[0]


def shown(values):
    own = list(values)
    own.sort()
    return own[0], own


def shared(values):
    own = list(values)
    same = own
    own.sort()
    return own[0], same


def last_of_equals(items):
    return sorted(items, key=lambda item: item[0])[-1]


def second(values):
    own = list(values)
    own.sort()
    return own[1]


def cases(rng):
    yield "anothers", (rng.standard_normal(4),), {}
    for name in ("shown", "shared", "second"):
        yield name, ([3, 1, 2],), {}
    yield "last_of_equals", ([(1, 2), (1, 3)],), {}
