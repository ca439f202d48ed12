"""Small loops that boil an array or a list down to one value."""

import random

import numpy as np


def dot(u: np.ndarray, v: np.ndarray) -> float:
    """The scalar product of two vectors of the same length."""
    assert u.ndim == 1 and u.shape == v.shape
    total = 0.0
    for i in range(len(u)):
        total += u[i] * v[i]
    return total


def highest(temperatures: list[float]) -> float:
    top = temperatures[0]
    for t in temperatures[1:]:
        if t > top:
            top = t
    return top


def count_frost(temperatures: list[float]) -> int:
    days = 0
    for t in temperatures:
        if t < 0:
            days += 1
    return days


def dot_inputs(n=100_000):
    draw = np.random.default_rng(0)
    return draw.standard_normal(n), draw.standard_normal(n)


def highest_inputs(n=100_000):
    draw = random.Random(0)
    return ([draw.gauss(8, 9) for _ in range(n)],)


def count_frost_inputs():
    return highest_inputs()


if __name__ == "__main__":
    frost = count_frost(*count_frost_inputs())
    print(f"{dot(*dot_inputs()):.2f} {highest(*highest_inputs()):.2f} {frost}")
