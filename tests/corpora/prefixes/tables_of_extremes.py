# expect: ASC105 safe scope=trailing_low
# expect: ASC105 safe scope=highs
# expect: ASC105 safe scope=ratchet
# expect: ASC105 safe scope=columns
import numpy as np


def trailing_low(x: np.ndarray) -> np.ndarray:
    low = np.zeros_like(x)
    low[0] = x[0]
    for i in range(1, x.shape[0]):
        low[i] = np.minimum(low[i - 1], x[i])
    return low


def highs(x: np.ndarray) -> np.ndarray:
    high = np.empty(len(x))
    high[0] = x[0]
    for i in range(1, len(x)):
        high[i] = max(x[i], high[i - 1])
    return high


def ratchet(x: np.ndarray) -> np.ndarray:
    m = x.copy()
    for i in range(1, len(m)):
        if m[i - 1] > m[i]:
            m[i] = m[i - 1]
    return m


def columns(x: np.ndarray) -> np.ndarray:
    for t in range(1, x.shape[1]):
        x[:, t] = np.maximum(x[:, t], x[:, t - 1])
    return x


def cases(rng):
    for n in (1, 2, 9):
        yield "trailing_low", (rng.random(n),), {}
        yield "trailing_low", (rng.random((n, 3)).astype(np.float32),), {}
        yield "highs", (rng.integers(0, 9, n),), {}
        yield "ratchet", (rng.random(2 * n)[::2],), {}
        yield "columns", (rng.random((2, n)),), {}
