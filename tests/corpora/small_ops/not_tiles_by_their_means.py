# refuse: each tile is centred about its own mean, or taken for its own softmax
import numpy as np
import torch


def centred(x: np.ndarray, size: int):
    n, m = x.shape
    out = np.zeros((n, m))
    for start in range(0, n, size):
        stop = start + size
        tile = x[start:stop]
        out[start:stop] = tile - tile.mean(0)
    return out


def weighed(x: torch.Tensor, size: int):
    n, m = x.shape
    out = torch.zeros(n, m)
    for start in range(0, n, size):
        stop = start + size
        out[start:stop] = torch.softmax(x[start:stop], dim=0)
    return out


def cases(rng):
    x = rng.standard_normal((8, 3))
    yield "centred", (x, 4), {}
    yield "weighed", (torch.tensor(x).float(), 4), {}
