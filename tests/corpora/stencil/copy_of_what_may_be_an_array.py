# expect: LOC302 unsafe scope=heat
# expect: LOC302 safe scope=heated_plate
# may: LOC306 advice scope=heat
# may: LOC306 advice scope=heated_plate
import numpy as np


def heat(u, a, steps):
    for _ in range(steps):
        un = u.copy()
        for i in range(1, len(u) - 1):
            u[i] = un[i] + a * (un[i + 1] - 2 * un[i] + un[i - 1])
    return u


def heated_plate(u, a, steps):
    for t in range(steps):
        un = np.copy(u)
        for i in range(1, u.shape[0] - 1):
            for j in range(1, u.shape[1] - 1):
                u[i, j] = un[i, j] + a * (un[i + 1, j] + un[i - 1, j] - 2 * un[i, j])
    return u


def cases(rng):
    for n in (0, 1, 2, 3, 7):
        yield "heat", (rng.normal(size=n), 0.1, 3), {}
        yield "heated_plate", (rng.normal(size=(n, 4)), 0.1, 3), {}
    yield "heat", ([1.0, 2.0, 4.0, 8.0], 0.1, 3), {}
