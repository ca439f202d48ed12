# expect: ASC101 safe scope=reservoir
import numpy as np


def reservoir(inflow, k, s0=0.0):
    n = inflow.shape[0]
    storage, outflow = np.zeros(n), np.zeros(n)
    s = s0
    for t in range(n):
        s = s + inflow[t]
        q = k * s
        s = s - q
        storage[t] = s
        outflow[t] = q
    return storage, outflow


def cases(rng):
    for n in (1, 2, 60):
        yield "reservoir", (rng.random(n), 0.3), {}
        yield "reservoir", (rng.random(n).astype(np.float32), 0.3, 2.0), {}
