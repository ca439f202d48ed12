# refuse: ASC105 each step doubles what the next one reads
import numpy as np


def areas(x: np.ndarray):
    area = np.zeros(len(x) + 1)
    for i in range(len(x)):
        area[i + 1] = area[i] + (x := x * 2)[i]
    return area


def cases(rng):
    yield "areas", (np.arange(4.0) + 1,), {}
