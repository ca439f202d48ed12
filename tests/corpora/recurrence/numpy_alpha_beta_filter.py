# expect: ASC104 safe scope=alpha_beta
import numpy as np


def alpha_beta(zs, dt, alpha, beta):
    """zs: float array of measurements."""
    x, v = 0.0, 0.0
    xs = np.empty_like(zs)
    for k, z in enumerate(zs):
        pred = x + dt * v
        r = z - pred
        x = pred + alpha * r
        v = v + beta / dt * r
        xs[k] = x
    return xs


def cases(rng):
    for n in (1, 2, 140):
        yield "alpha_beta", (rng.standard_normal(n), 0.1, 0.5, 0.05), {}
