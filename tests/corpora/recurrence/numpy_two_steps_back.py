# expect: ASC104 safe scope=simulate
import numpy as np


def simulate(noise, phi1=0.5, phi2=0.2):
    """noise: (steps, paths) float64."""
    x = np.zeros_like(noise)
    for t in range(2, len(noise)):
        x[t] = phi1 * x[t - 1] + phi2 * x[t - 2] + noise[t]
    return x


def cases(rng):
    for steps in (1, 2, 3, 140):
        noise = rng.standard_normal((steps, 3))
        yield "simulate", (noise,), {}
        yield "simulate", (noise.astype("float32"),), {}
