# refuse: the weights are bound again, to others, or stretched along the window
import numpy as np

GX = np.ones((3, 3))
ROW = np.array([[-1.0, 0.0, 1.0]])


def flatter():
    global GX
    GX = np.ones(3)


def edges(image):
    h, w = image.shape
    out = np.zeros((h - 2, w - 2))
    for y in range(h - 2):
        for x in range(w - 2):
            out[y, x] = np.sum(image[y : y + 3, x : x + 3] * GX)
    return out


def rows(image):
    h, w = image.shape
    out = np.zeros((h - 2, w - 2))
    for y in range(h - 2):
        for x in range(w - 2):
            out[y, x] = np.sum(image[y : y + 3, x : x + 3] * ROW)
    return out


def cases(rng):
    yield "lambda image: (flatter(), edges(image))[1]", (rng.standard_normal((4, 6)),), {}
    yield "rows", (rng.standard_normal((4, 6)),), {}
