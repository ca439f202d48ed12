# expect: ASC114 safe scope=several
import numpy as np


def several(step: np.ndarray, counts: list[int]):
    size, _ = step.shape
    found = []
    for count in counts:
        total = np.eye(size)
        for _ in range(count):
            total = total @ step
        found.append(total)
    return found


def cases(rng):
    yield "several", (rng.random((3, 3)) / 3, [0, 1, 2, 9]), {}
