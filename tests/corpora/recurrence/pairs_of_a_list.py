# expect: ASC101 safe scope=levels
# may: ASC101 safe|advice scope=counts
import numpy as np


def levels(readings: list[tuple[float, float]]):
    level = 0.0
    found = np.zeros(len(readings))
    for i, (decay, change) in enumerate(readings):
        level = decay * level + change
        found[i] = level
    return found


def counts(readings: list[tuple[int, float]], found: np.ndarray):
    for place, change in readings:
        found[place] = found[place] + change
    return found


def cases(rng):
    for n in (1, 2, 7, 40):
        yield "levels", ([(float(a), float(b)) for a, b in rng.random((n, 2))],), {}
        places = [(int(a), float(b)) for a, b in zip(rng.integers(0, 5, n), rng.random(n))]
        yield "counts", (places, np.zeros(5)), {}
