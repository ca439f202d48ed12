# expect: ASC101 safe scope=concentration
import numpy as np


def concentration(doses, ke, dt, V):
    c = np.zeros(len(doses))
    amount = 0.0
    decay = np.exp(-ke * dt)
    for k in range(len(doses)):
        amount = amount * decay + doses[k]
        c[k] = amount / V
    return c


def cases(rng):
    for n in (1, 2, 60):
        yield "concentration", (rng.random(n), 0.2, 0.5, 10.0), {}
        yield "concentration", (rng.random(n).astype(np.float32), 0.2, 0.5, 10.0), {}
        yield "concentration", (rng.integers(0, 5, n), 0.2, 0.5, 10.0), {}
