# expect: ASC101 safe scope=np_list
import numpy as np


def np_list(x: np.ndarray, a: float):
    y = [x[0]]
    for v in x[1:]:
        y.append(a * v + (1 - a) * y[-1])
    return np.array(y)


def cases(rng):
    yield "np_list", (rng.standard_normal((7,)), 0.9), {}
