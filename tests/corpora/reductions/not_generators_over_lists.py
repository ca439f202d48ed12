# refuse: over lists a generator is as fast; what each item is given to may do anything, and so on
import math

import numpy as np


def listed(xs: list[float], y: np.ndarray):
    return sum(v * v for v in xs) + y


def given(x: np.ndarray, each):
    return sum(each(v) for v in x)


def shown(x: np.ndarray):
    return sum(v for v in x if print(v) is None)


def by_size(x: np.ndarray):
    return max((v for v in x), key=abs)


def exactly(x: np.ndarray):
    return math.fsum(v * v for v in x)


def with_default(x: np.ndarray):
    return max((abs(v) for v in x), default=0.0)


def cases(rng):
    x = rng.normal(size=7)
    yield "listed", ([1.0, 2.0], x), {}
    yield "given", (x, math.tanh), {}
    for name in ("shown", "by_size", "exactly", "with_default"):
        yield name, (x,), {}
