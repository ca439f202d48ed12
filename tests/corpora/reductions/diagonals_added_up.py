# expect: ASC106 safe scope=trace
# expect: ASC106 safe scope=squares
# expect: ASC106 safe scope=traced
import numpy as np
import torch


def trace(m: np.ndarray):
    total = 0.0
    for i in range(m.shape[0]):
        total += m[i, i]
    return total


def squares(m: np.ndarray, v: np.ndarray):
    assert m.ndim == 2 and v.ndim == 1
    total = 0.0
    for i in range(m.shape[1]):
        total += m[i, i] * v[i] ** 2
    return total


def traced(m: torch.Tensor):
    total = torch.zeros(())
    for i in range(m.shape[0]):
        total = total + m[i, i].exp()
    return total


def cases(rng):
    for shape in ((5, 5), (1, 1), (3, 7)):
        yield "trace", (rng.standard_normal(shape),), {}
        yield "traced", (torch.tensor(rng.random(shape)).float().requires_grad_(),), {}
        yield "squares", (rng.standard_normal(shape[::-1]), rng.standard_normal(shape[0])), {}
    yield "trace", (rng.standard_normal((4, 4)).T,), {}
