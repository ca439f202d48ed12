# refuse: a function within this one binds what is read again whenever it is called
import numpy as np


def called(a: np.ndarray, x: np.ndarray):
    def inner(z):
        nonlocal a
        a = a + 1
        return np.sin(z)

    for k in range(3):
        x = inner(x) / np.linalg.norm(a)
    return x


def called_in_turn(a: np.ndarray, x: np.ndarray):
    def grow():
        nonlocal a
        a = a * 2

    def both():
        grow()

    for k in range(3):
        both()
        x = np.sin(x) / np.linalg.norm(a)
    return x


def cases(rng):
    for name in ("called", "called_in_turn"):
        yield name, (rng.normal(size=(3, 3)), rng.normal(size=4)), {}
