# expect: LOC302 safe scope=values
import numpy as np


def values(steps, states, reward: np.ndarray):
    v = np.zeros((steps + 1, states))
    for t in range(steps - 1, -1, -1):
        for s in range(1, states - 1):
            v[t, s] = reward[s] + 0.5 * max(v[t + 1, s - 1], v[t + 1, s + 1])
    return v


def cases(rng):
    yield "values", (4, 7, rng.standard_normal(7)), {}
