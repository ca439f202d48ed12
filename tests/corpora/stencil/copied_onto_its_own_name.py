# expect: LOC302 unsafe scope=heat
import numpy as np


def heat(u, alpha, dt, dx, steps):
    u = u.copy()
    for _ in range(steps):
        un = u.copy()
        for i in range(1, len(u) - 1):
            u[i] = un[i] + alpha * dt / dx**2 * (un[i + 1] - 2 * un[i] + un[i - 1])
    return u


def cases(rng):
    yield "heat", (np.linspace(0.0, 1.0, 20) ** 2, 0.1, 0.1, 0.5, 4), {}
