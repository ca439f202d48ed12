# expect: LOC301 safe scope=joined
# expect: LOC301 safe scope=blocks
import numpy as np


def joined(x: np.ndarray, w: np.ndarray):
    n, d = x.shape
    heads, d, k = w.shape
    return np.hstack([x @ w[h] for h in range(heads)])


def blocks(parts: np.ndarray, x: np.ndarray):
    n, b, c = parts.shape
    n, c = x.shape
    done = []
    for i in range(n):
        done.append(parts[i] @ x[i])
    return np.concatenate(done)


def cases(rng):
    for n in (5, 1):
        yield "joined", (rng.standard_normal((n, 3)), rng.standard_normal((4, 3, 2))), {}
        yield "blocks", (rng.standard_normal((n, 3, 2)), rng.standard_normal((n, 2))), {}
