# expect: ASC106 safe scope=autocovariance
# expect: ASC106 safe scope=moving
# expect: ASC106 safe scope=around
# expect: ASC106 safe scope=spread
import numpy as np


def autocovariance(x: np.ndarray, lags: int):
    n = len(x)
    mean = x.mean()
    out = np.zeros(lags)
    for lag in range(lags):
        total = 0.0
        for i in range(n - lag):
            total += (x[i] - mean) * (x[i + lag] - mean)
        out[lag] = total / n
    return out


def moving(a, k):
    mean = a.mean()
    count = a.shape[0] - k + 1
    out = np.zeros(count)
    for start in range(count):
        total = 0.0
        for j in range(k):
            total += a[start + j] - mean
        out[start] = total / k
    return out


def around(x: np.ndarray):
    found = []
    for shift in range(-2, 3):
        total = 0.0
        for i in range(2, len(x) - 2):
            total += x[i] * x[i + shift]
        found.append(total)
    return found


def spread(x):
    middle = np.mean(x)
    total = 0.0
    for i in range(x.shape[0]):
        total += (x[i] - middle) ** 2
    return total / x.shape[0]


def cases(rng):
    x = rng.standard_normal(9)
    yield "autocovariance", (x, 4), {}
    yield "autocovariance", (x[:2], 5), {}
    yield "moving", (x, 3), {}
    yield "moving", (x, 9), {}
    yield "around", (x,), {}
    yield "around", (x[:3],), {}
    yield "spread", (x.astype(np.float32),), {}
    yield "spread", (x.reshape(3, 3),), {}
