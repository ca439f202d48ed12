# expect: LOC302 safe scope=heat
# expect: LOC302 safe scope=wave
import numpy as np


def heat(start, steps, rate):
    cells = start.shape[0]
    u = np.zeros((steps, cells))
    u[0] = start
    for n in range(steps - 1):
        for i in range(1, cells - 1):
            u[n + 1, i] = u[n, i] + rate * (u[n, i + 1] - 2 * u[n, i] + u[n, i - 1])
    return u


def wave(first, second, steps, c):
    cells = len(first)
    u = np.zeros((steps, cells))
    u[0] = first
    u[1] = second
    for t in range(1, steps - 1):
        for x in range(1, cells - 1):
            u[t + 1][x] = 2 * (1 - c) * u[t][x] + c * (u[t][x - 1] + u[t][x + 1]) - u[t - 1][x]
    return u


def cases(rng):
    yield "heat", (rng.standard_normal(9), 4, 0.2), {}
    yield "heat", (rng.standard_normal(1), 1, 0.2), {}
    yield "wave", (rng.standard_normal(7), rng.standard_normal(7), 5, 0.3), {}
