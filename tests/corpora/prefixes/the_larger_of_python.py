# expect: ASC105 safe scope=highs
# expect: ASC105 safe scope=lows
import numpy as np


def highs(x: np.ndarray) -> np.ndarray:
    best = x[0]
    out = []
    for i in range(1, len(x)):
        best = max(best, x[i])
        out.append(best)
    return np.array(out)


def lows(x: np.ndarray) -> np.ndarray:
    low = x[0]
    out = []
    for v in x:
        if v < low:
            low = v
        out.append(low)
    return np.array(out)


def cases(rng):
    for n in (2, 9):
        yield "highs", (rng.random(n),), {}
        yield "lows", (rng.random(n).astype(np.float32),), {}
        yield "lows", (rng.integers(0, 9, 2 * n)[::2],), {}
