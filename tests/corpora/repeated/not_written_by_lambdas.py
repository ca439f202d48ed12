# refuse: RED502 a lambda that is called in between changes what both terms read
import numpy as np
import torch


def named(x: torch.Tensor, w: torch.Tensor):
    bump = lambda: w.mul_(0.5)
    a = torch.softmax(x @ w, -1) * x
    bump()
    return a + torch.softmax(x @ w, -1)


def given(x: torch.Tensor, w: torch.Tensor):
    bump = lambda q: q.mul_(0.5)
    a = torch.softmax(x @ w, -1) * x
    bump(w)
    return a + torch.softmax(x @ w, -1)


def listed(x: torch.Tensor, w: torch.Tensor):
    changes = [lambda: w.mul_(0.5)]
    a = torch.softmax(x @ w, -1) * x
    for change in changes:
        change()
    return a + torch.softmax(x @ w, -1)


def filled(x: np.ndarray, w: np.ndarray):
    reset = lambda: w.fill(0.5)
    a = np.linalg.norm(x @ w)
    reset()
    return a + np.linalg.norm(x @ w)


def by_a_function(x: torch.Tensor, w: torch.Tensor):
    def bump(v):
        w[0, 1] += 1
        return v

    a = torch.softmax(x @ w, -1)
    b = bump(a)
    return b + torch.softmax(x @ w, -1)


def rebound(w, x):
    def again():
        nonlocal w, x
        w, x = x, w

    again()
    return w, x


def cases(rng):
    tensor = lambda: torch.tensor(rng.normal(size=(3, 3)))
    for name in ("named", "given", "listed", "by_a_function"):
        yield name, (tensor(), tensor()), {}
    yield "filled", (rng.normal(size=(3, 3)), rng.normal(size=(3, 3))), {}
    yield "rebound", (1, 2), {}
