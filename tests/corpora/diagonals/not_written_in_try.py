# refuse: SPA402 something is written into the matrix
# refuse: ASC105 something is written into the matrix

import numpy as np
import torch


def element(x: np.ndarray):
    n, d = x.shape
    m = np.tril(np.ones((n, n)))
    try:
        m[0] = 3
    finally:
        n = 0
    return m @ x


def rows(x: np.ndarray):
    n, d = x.shape
    m = np.tril(np.ones((n, n)))
    try:
        for row in m:
            row += 1
    except ValueError:
        return x
    return m @ x


def shuffled(x: np.ndarray):
    n, d = x.shape
    m = np.tril(np.ones((n, n)))
    try:
        np.random.default_rng(0).shuffle(m)
    finally:
        n = 0
    return m @ x


def method(x: torch.Tensor, w: torch.Tensor):
    (n,) = w.shape
    n, d = x.shape
    m = torch.diag(w).clone()
    try:
        m.mul_(2)
    except ValueError:
        return x
    return m @ x


def matched(x: np.ndarray, w: np.ndarray):
    (n,) = w.shape
    n, d = x.shape
    m = np.zeros((n, n))
    np.fill_diagonal(m, w)
    match d:
        case 2:
            m[0] = 3
    return m @ x


def cases(rng):
    x, w = rng.normal(size=(4, 2)), rng.normal(size=4)
    for name in ("element", "rows", "shuffled"):
        yield name, (x,), {}
    yield "method", (torch.tensor(x), torch.tensor(w)), {}
    yield "matched", (x, w), {}
