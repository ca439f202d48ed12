# refuse: steps that meet in a cell set it to different things, so that the last one counts
import numpy as np
import torch


def last(y: np.ndarray, w: np.ndarray, k: int):
    out = np.zeros(k)
    for j in range(len(y)):
        out[y[j]] = w[j]
    return out


def directed(edges: np.ndarray, n: int):
    table = np.zeros((n, n))
    for u, v in edges:
        table[u, v] = 1
        table[v, u] = 2
    return table


def columns(y: torch.Tensor, w: torch.Tensor, k: int):
    n, m = w.shape
    out = torch.zeros(n, k)
    for i in range(n):
        for j in range(m):
            out[i, y[j]] = w[i, j]
    return out


def read_again(y: np.ndarray, k: int):
    out = np.zeros(k)
    for j in range(len(y)):
        out[y[j]] = 1
        out[y[j]] += out[0]
    return out


def cases(rng):
    for n in (1, 6):
        y = rng.integers(0, 3, n)
        yield "last", (y, rng.normal(size=n), 4), {}
        yield "directed", (rng.integers(0, 4, (n, 2)), 4), {}
        yield (
            "columns",
            (torch.tensor(y), torch.tensor(rng.normal(size=(2, n)), dtype=torch.float32), 4),
            {},
        )
        yield "read_again", (y, 4), {}
