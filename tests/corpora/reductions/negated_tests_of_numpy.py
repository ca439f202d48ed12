# expect: ASC106 safe scope=few
# expect: ASC106 safe scope=another
# may: ASC106 safe scope=all_of_them
import numpy as np


def few(xs: np.ndarray):
    n = 0
    for x in xs:
        if not x > 3:
            n += 1
    return n


def another(x: np.ndarray):
    found = False
    for v in x:
        if not v == 1:
            found = True
    return found


def all_of_them(x: np.ndarray, c: float):
    good = True
    for v in x:
        if not v > c:
            good = False
    return good


def cases(rng):
    for values in ([1, 5, 12], [1.0, 1.0], [4.0, np.nan], [7.0, 9.0]):
        yield "few", (np.array(values),), {}
        yield "another", (np.array(values),), {}
        yield "all_of_them", (np.array(values), 2.0), {}
