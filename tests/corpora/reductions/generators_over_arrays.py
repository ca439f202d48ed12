# expect: ASC106 safe scope=energy
# expect: ASC106 safe scope=inner
# expect: ASC106 safe scope=largest
# expect: ASC106 safe scope=lowest
# expect: ASC106 safe scope=norm
# expect: ASC106 safe scope=positive
# expect: ASC106 safe scope=growth
# expect: ASC106 safe scope=over
# expect: ASC106 safe scope=squares
import math

import numpy as np
import torch


def energy(x: np.ndarray):
    return sum(v**2 for v in x)


def inner(a: np.ndarray, b: np.ndarray):
    return sum(x * y for x, y in zip(a, b))


def largest(x: np.ndarray):
    return max(abs(v) for v in x)


def lowest(x: np.ndarray):
    return min(x[i] - 2 * x[i] ** 2 for i in range(len(x)))


def norm(x: np.ndarray):
    rows, columns = x.shape
    total = sum(x[i, j] ** 2 for i in range(rows) for j in range(columns))
    return np.sqrt(total)


def positive(x: np.ndarray):
    return sum([v for v in x if v > 0])


def growth(rates: np.ndarray):
    return math.prod(1 + rate for rate in rates)


def over(x: np.ndarray):
    return sum(1 for v in x if v > 0.5)


def squares(x: torch.Tensor):
    return sum(x[i] * x[i] for i in range(x.shape[0]))


def cases(rng):
    for size in (0, 1, 9):
        x = rng.normal(size=size)
        for name in ("energy", "positive", "growth", "over"):
            yield name, (x,), {}
        yield "inner", (x, rng.normal(size=size)), {}
        if size:
            yield "largest", (x,), {}
            yield "lowest", (x,), {}
        yield "norm", (rng.normal(size=(size, 3)),), {}
        yield "squares", (torch.tensor(rng.normal(size=(size, 2)), requires_grad=size > 0),), {}
    yield "energy", (rng.normal(size=(4, 3)),), {}
    yield "inner", (rng.normal(size=5), rng.normal(size=3)), {}
