# refuse: what the window is multiplied with may be as large as the window
import numpy as np


def filtered(image, kernel):
    rows, columns = image.shape
    out = np.zeros((rows - 2, columns - 2))
    for i in range(rows - 2):
        for j in range(columns - 2):
            out[i, j] = (image[i : i + 3, j : j + 3] * kernel).sum()
    return out


def cases(rng):
    yield "filtered", (rng.random((7, 6)), rng.random((3, 3))), {}
    yield "filtered", (rng.random((3, 3)), rng.random((3, 3))), {}
