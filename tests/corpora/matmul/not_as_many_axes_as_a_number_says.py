# refuse: a number of an axis does not say how many there are

import numpy as np


def products(signals: np.ndarray, returns: np.ndarray):
    signals = signals - signals.mean(axis=1, keepdims=True)
    return (signals * returns[:, :, np.newaxis]).sum(axis=1)


def cases(rng):
    for days, names, factors in ((3, 5, 2), (1, 4, 3)):
        signals = rng.standard_normal((days, names, factors))
        yield "products", (signals, rng.standard_normal((days, names))), {}
