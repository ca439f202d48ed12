# refuse: RED506 a negative multiple turns the order around
import numpy as np


def quietest(power: np.ndarray):
    return (-20 * np.log10(power)).max(axis=-1)


def cases(rng):
    for shape in ((1,), (7,), (3, 4)):
        yield "quietest", (rng.uniform(0.5, 2, shape),), {}
