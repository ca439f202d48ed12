# refuse: RED501 every product is another one
import numpy as np


class Growing:
    def __init__(self):
        self.calls = 0

    def __matmul__(self, x):
        self.calls += 1
        return x * self.calls


def residuals(x: np.ndarray, targets: list):
    operator = Growing()
    found = []
    for target in targets:
        found.append(float(np.linalg.norm(operator @ x - target)))
    return found


def steps(x: np.ndarray, targets: list):
    operator = Growing()
    found = []
    for target in targets:
        image = operator @ x
        found.append(float(np.linalg.norm(image)) + target)
    return found


def cases(rng):
    yield "residuals", (rng.normal(size=3), [1.0, 2.0]), {}
    yield "steps", (rng.normal(size=3), [1.0, 2.0, 3.0]), {}
