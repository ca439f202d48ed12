# refuse: the update is quadratic in the state
import numpy as np


def population(x0, rates):
    x = x0
    sizes = np.empty((len(rates),) + x0.shape)
    for year, r in enumerate(rates):
        x = r * x * (1 - x)
        sizes[year] = x
    return sizes


def cases(rng):
    yield "population", (rng.uniform(0.2, 0.8, 4), rng.uniform(1.5, 2.8, 15)), {}
