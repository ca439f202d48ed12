# refuse: RED501 nothing reads the product: it is taken for the time that it takes
import time

import numpy as np


def seconds(a: np.ndarray, b: np.ndarray) -> tuple[float, float]:
    begin = time.perf_counter()
    for _ in range(3):
        _ = a @ b
    middle = time.perf_counter()
    for _ in range(3):
        product = np.exp(a).sum()  # noqa: F841
    return (middle - begin >= 0), (time.perf_counter() - middle >= 0)


def cases(rng):
    yield "seconds", (rng.normal(size=(3, 3)), rng.normal(size=(3, 2))), {}
