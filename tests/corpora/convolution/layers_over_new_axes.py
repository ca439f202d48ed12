# expect: LOC303 safe scope=filtered
import numpy as np


def filtered(x: np.ndarray, w: np.ndarray):
    size = w.shape[0]
    down, across = x.shape[1] - size + 1, x.shape[2] - size + 1
    out = np.empty((x.shape[0], down, across, w.shape[3]))
    for i in range(down):
        for j in range(across):
            out[:, i, j, :] = np.sum(
                x[:, i : i + size, j : j + size, :, np.newaxis] * w[np.newaxis, :, :, :],
                axis=(1, 2, 3),
            )
    return out


def cases(rng):
    yield "filtered", (rng.normal(size=(2, 5, 6, 3)), rng.normal(size=(2, 2, 3, 4))), {}
    yield "filtered", (rng.normal(size=(1, 3, 3, 1)), rng.normal(size=(3, 3, 1, 1))), {}
    yield "filtered", (rng.normal(size=(2, 4, 4, 2)), rng.normal(size=(1, 1, 2, 2))), {}
