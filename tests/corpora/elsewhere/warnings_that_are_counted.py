# expect: ASC106 unsafe scope=counted
# expect: ASC106 safe scope=silenced
import warnings

import numpy as np


def counted(x: np.ndarray):
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        total = 0.0
        for i in range(len(x)):
            total += np.log(x[i])
    return total, len(seen)


def silenced(x: np.ndarray):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        total = 0.0
        for i in range(len(x)):
            total += np.log(x[i])
    return total


def cases(rng):
    yield "counted", (rng.uniform(1, 2, 5),), {}
    yield "counted", (np.zeros(3),), {}
    yield "silenced", (rng.uniform(1, 2, 5),), {}
