# expect: RED507 safe scope=gain
# expect: RED507 safe scope=corrected
import math

import numpy as np
import scipy.linalg as la


def gain(a, b, q, r):
    x = q
    return la.inv(b.T @ x @ b + r) @ (b.T @ x @ a)


def moved(state, speed):
    turn = state[2, 0]
    v = speed[0, 0]
    return np.array(
        [
            [1.0, 0.0, -0.1 * v * math.sin(turn)],
            [0.0, 1.0, 0.1 * v * math.cos(turn)],
            [0.0, 0.0, 1.0],
        ]
    )


def corrected(state, speed, spread, noise, z):
    step = moved(state, speed)
    expected = step @ spread @ step.T
    k = expected @ np.linalg.inv(expected + noise)
    return state + k @ (z - state)


def cases(rng):
    for n, m in ((3, 2), (1, 1)):
        a, b, q = rng.normal(size=(n, n)), rng.normal(size=(n, m)), np.eye(n)
        yield "gain", (a, b, q, np.eye(m)), {}
    state, speed = rng.normal(size=(3, 1)), rng.normal(size=(2, 1))
    yield "corrected", (state, speed, np.eye(3), np.eye(3), rng.normal(size=(3, 1))), {}
