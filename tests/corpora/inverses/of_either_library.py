# expect: RED507 safe scope=quadratic_form
import numpy as np
import torch


def quadratic_form(y, K):
    return y.T.dot(np.linalg.inv(K)).dot(y)


def of_tensors(x):
    return torch.softmax(x, 0)


def cases(rng):
    for n in (1, 2, 5):
        a = rng.normal(size=(n, n))
        yield "quadratic_form", (rng.normal(size=n), a @ a.T + n * np.eye(n)), {}
        yield "quadratic_form", (rng.normal(size=(n, 2)), a @ a.T + n * np.eye(n)), {}
