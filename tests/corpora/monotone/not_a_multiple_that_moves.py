# refuse: RED506 each element has a factor of its own
import numpy as np


def weighted(power: np.ndarray, weights: np.ndarray):
    return (weights * np.log10(power)).max(axis=-1)


def cases(rng):
    for shape in ((1,), (7,), (3, 4)):
        yield "weighted", (rng.uniform(0.5, 2, shape), rng.normal(size=shape)), {}
