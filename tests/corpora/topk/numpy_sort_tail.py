# expect: ASC110 safe scope=top_three
import numpy as np


def top_three(gains: np.ndarray) -> np.ndarray:
    return np.sort(gains)[-3:][::-1]


def cases(rng):
    for n in (1, 3, 90):
        yield "top_three", (rng.standard_normal(n),), {}
