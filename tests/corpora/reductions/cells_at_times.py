# expect: ASC106 safe scope=masked
# expect: ASC106 safe scope=counted
# expect: ASC106 safe scope=masked_tensors
# expect: ASC106 safe scope=chosen
# expect: ASC106 safe scope=subtracted
# expect: ASC106 safe scope=counted_tensors
import numpy as np
import torch


def masked(m: np.ndarray, x: np.ndarray):
    h, w = x.shape
    y = np.zeros(h)
    for i in range(h):
        for j in range(w):
            if m[i, j]:
                y[i] += x[i, j]
    return y


def counted(x: np.ndarray, t: float):
    h, w = x.shape
    y = np.zeros(h, dtype=int)
    for i in range(h):
        for j in range(w):
            if x[i, j] > t:
                y[i] += 1
    return y


def masked_tensors(m: torch.Tensor, x: torch.Tensor):
    h, w = x.shape
    y = torch.zeros(h)
    for i in range(h):
        for j in range(w):
            if m[i, j] > 0:
                y[i] += x[i, j]
    return y


def chosen(a: np.ndarray):
    n, m = a.shape
    y = np.zeros(n)
    for i in range(n):
        for j in range(m):
            y[i] += a[i, j] if a[i, j] > 0 else 0
    return y


def subtracted(x: np.ndarray, t: float):
    h, w, c = x.shape
    y = np.ones((h, w))
    for i in range(h):
        for j in range(w):
            for k in range(c):
                if x[i, j, k] < t:
                    y[i, j] -= x[i, j, k]
    return y


def counted_tensors(x: torch.Tensor):
    h, w = x.shape
    y = torch.zeros(h, dtype=torch.long)
    for i in range(h):
        for j in range(w):
            if x[i, j] == 0:
                y[i] += 1
    return y


def cases(rng):
    for h, w in ((4, 3), (1, 1), (2, 0)):
        x = rng.normal(size=(h, w))
        m = rng.random((h, w)) < 0.5
        yield "masked", (m, x), {}
        yield "masked", (m.astype(int), x.astype(np.float32)), {}
        yield "counted", (x, 0.1), {}
        yield "chosen", (x,), {}
        yield "subtracted", (rng.normal(size=(2, h, w)), 0.1), {}
        yield "counted_tensors", (torch.tensor(rng.integers(0, 2, (h, w))),), {}
    x = torch.tensor(rng.normal(size=(4, 3)), dtype=torch.float32, requires_grad=True)
    yield "masked_tensors", (torch.tensor([[1, 0, 1]] * 4), x), {}
