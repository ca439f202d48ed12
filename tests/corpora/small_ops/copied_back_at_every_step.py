# expect: LOC306 safe scope=diffused
# expect: LOC302 safe scope=diffused
# expect: LOC306 safe scope=kept_whole
import numpy as np


def diffused(first: float, steps: int):
    m = 12
    before = np.zeros(m)
    after = np.zeros(m)
    before[0] = first
    for _ in range(steps):
        for i in range(1, m - 1):
            after[i] = before[i] + 0.1 * (before[i + 1] - 2 * before[i] + before[i - 1])
        for i in range(1, m - 1):
            before[i] = after[i]
    return before


def kept_whole(field: np.ndarray, steps: int):
    n, m = field.shape
    old = np.zeros((n, m))
    for _ in range(steps):
        for i in range(n):
            for j in range(m):
                old[i, j] = field[i, j]
        field += np.roll(old, 1, 0) - old
    return field


def cases(rng):
    yield "diffused", (2.0, 3), {}
    yield "diffused", (2.0, 0), {}
    yield "kept_whole", (rng.standard_normal((3, 5)), 2), {}
    yield "kept_whole", (rng.standard_normal((1, 1)), 3), {}
