# refuse: RED501 the caller gets a result for each step and may change them

import numpy as np


def starts(positions: np.ndarray, count: int):
    found = []
    for _ in range(count):
        start = np.sort(positions)
        found.append(start)
    return found


def cases(rng):
    yield "starts", (rng.normal(size=5), 3), {}
