# expect: ASC104 safe scope=ar
import numpy as np


def ar(e: np.ndarray, phi: np.ndarray):
    """e: (n,), phi: (3,)."""
    y = e.copy()
    for t in range(3, len(e)):
        y[t] = phi[0] * y[t - 1] + phi[1] * y[t - 2] + phi[2] * y[t - 3] + e[t]
    return y


def cases(rng):
    for n in (1, 3, 4, 140):
        yield "ar", (rng.standard_normal(n), rng.standard_normal(3) * 0.2), {}
