# refuse: ASC101 NumPy makes an array in double precision of the numbers that it chooses
import numpy as np


def traces(x: np.ndarray, done: np.ndarray, lam: float):
    e = 0.0
    out = []
    for t in range(x.shape[0]):
        e = np.where(done[t], 0.0, lam * e) + x[t]
        out.append(e)
    return np.array(out)


def cases(rng):
    yield "traces", (rng.standard_normal(60).astype(np.float32), rng.random(60) < 0.2, 0.9), {}
