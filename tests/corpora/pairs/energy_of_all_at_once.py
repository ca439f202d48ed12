# expect: LOC305 advice scope=f
import numpy as np


def f(position: np.ndarray, mass: np.ndarray):
    apart = position[:, None, :] - position[None, :, :]
    distance = np.sqrt((apart**2).sum(-1) + 1e-3)
    return -0.5 * (mass[:, None] * mass[None, :] / distance).sum()


def cases(rng):
    for n in (1, 2, 7):
        yield "f", (rng.normal(size=(n, 3)), rng.random(n)), {}
