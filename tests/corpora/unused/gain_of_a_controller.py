# may: RED509 unsafe|safe scope=steer
import numpy as np


def gain(a: np.ndarray, b: np.ndarray):
    found = np.linalg.pinv(b.T @ (a @ b))
    for _ in range(2):
        found = found / (1 + np.abs(found).max())
    return found @ b.T, found


def steer(first, a: np.ndarray, b: np.ndarray):
    k, _ = gain(a, b)
    state = np.zeros((4, 1))
    state[0, 0] = first
    state[2, 0] = 1.0
    return (-k @ state)[0, 0]


def cases(rng):
    yield "steer", (0.5, rng.normal(size=(4, 4)), rng.normal(size=(4, 1))), {}
    yield "steer", (0.5, rng.normal(size=(4, 4)), rng.normal(size=(4, 2))), {}
