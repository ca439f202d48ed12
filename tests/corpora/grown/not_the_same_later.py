# refuse: what is joined is changed in place after that
import numpy as np
import torch


def counted(x: np.ndarray, n: int):
    out = np.empty((0, x.shape[0]))
    for _ in range(n):
        x += 1
        out = np.vstack([out, x])
    return out


def buffered(x: torch.Tensor):
    row = torch.zeros(1, 3)
    out = torch.empty(0, 3)
    for i in range(x.shape[0]):
        row[0, 0] = x[i]
        out = torch.cat([out, row])
    return out


def halved(x: torch.Tensor):
    h = x[0].clone()
    out = torch.empty(0, 2)
    for _ in range(4):
        out = torch.cat((out, h[None]))
        h.mul_(0.5)
    return out


def pairs(items: list):
    row = [0.0, 0.0]
    out = np.zeros(0)
    for item in items:
        row[0] = item
        out = np.append(out, row)
    return out


def cases(rng):
    yield "counted", (rng.normal(size=4), 3), {}
    yield "buffered", (torch.tensor(rng.normal(size=4)),), {}
    yield "halved", (torch.tensor(rng.normal(size=(3, 2))),), {}
    yield "pairs", (list(rng.normal(size=3)),), {}
