# expect: RED501 safe scope=summed
# expect: RED501 safe scope=largest
# expect: RED501 safe scope=walked
# expect: RED501 safe scope=named
# may: RED505 unsafe scope=largest
import numpy as np


def summed(W: np.ndarray, n):
    return sum(np.exp(W).sum() * i for i in range(n))


def largest(W: np.ndarray, n):
    return max(np.sort(W)[0] + i for i in range(n))


def walked(W: np.ndarray, n):
    out = []
    for v in (np.exp(W).sum() * i for i in range(n)):
        out.append(float(v) + 1)
    return out


def named(W: np.ndarray, n):
    items = (np.exp(W).sum() * i for i in range(n))
    count = 0
    for v in items:
        count += v > 2
    return count


def cases(rng):
    for name in ("summed", "largest", "walked", "named"):
        yield name, (rng.normal(size=3), 4), {}
