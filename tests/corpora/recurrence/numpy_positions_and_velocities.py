# expect: ASC104 safe scope=simulate
import numpy as np


def simulate(force: np.ndarray, omega: np.ndarray, dt: float):
    """force: (steps, units), omega: (units,)."""
    x = np.zeros(force.shape[1])
    v = np.zeros(force.shape[1])
    out = np.empty(force.shape)
    for t in range(force.shape[0]):
        x, v = x + dt * v, v - dt * omega**2 * x + dt * force[t]
        out[t] = x
    return out


def cases(rng):
    for n in (1, 2, 140):
        yield "simulate", (rng.standard_normal((n, 3)), rng.random(3), 0.01), {}
