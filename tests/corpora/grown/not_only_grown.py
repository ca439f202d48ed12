# refuse: the loop reads what it has joined so far, or goes on where that fails
import numpy as np
import torch


def products(x: np.ndarray):
    out = np.array([1.0])
    for i in range(len(x)):
        out = np.append(out, out[-1] * x[i] * np.sin(x[i]))
    return out


def until_full(xs: list, most: int):
    out = np.array([])
    for x in xs:
        if len(out) == most:
            break
        out = np.append(out, np.sin(x))
    return out


def what_fits(rows: list):
    out = torch.empty(0, 2)
    for row in rows:
        try:
            out = torch.cat((out, row))
        except RuntimeError:
            continue
    return out


def cases(rng):
    yield "products", (rng.normal(size=4),), {}
    yield "until_full", (list(rng.normal(size=5)), 3), {}
    yield "what_fits", ([torch.ones(1, 2), torch.ones(1, 3), torch.zeros(2, 2)],), {}
