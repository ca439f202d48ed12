# expect: RED501 safe scope=fine
# expect: RED501 safe scope=matched
import numpy as np


def fine(a: np.ndarray, x: np.ndarray, damped: bool):
    b = np.zeros(3)
    if damped:
        b = np.ones(3)
    for _ in range(3):
        x = np.sin(x) / np.linalg.norm(a)
        b += 1
    return x, b


def matched(a: np.ndarray, flag):
    match flag:
        case True:
            row = a[0]
        case None:
            row = a[1]
        case _:
            row = a[2]
    found = []
    for k in range(3):
        found.append(k / np.linalg.norm(a))
    return row, found


def cases(rng):
    for flag in (True, False, None):
        yield "fine", (rng.normal(size=(3, 3)), rng.normal(size=4), flag), {}
        yield "matched", (rng.normal(size=(3, 3)), flag), {}
