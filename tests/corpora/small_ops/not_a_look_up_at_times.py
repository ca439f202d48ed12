# refuse: what is looked up may be no place where the step does not ask
import numpy as np


def f(x: np.ndarray, place: np.ndarray):
    (n,) = place.shape
    out = np.zeros(n)
    for i in range(n):
        out[i] = x[place[i]] * 2 if place[i] < 3 else 0.0
    return out


def cases(rng):
    yield "f", (rng.random(3), np.array([0, 7, 2, 5])), {}
