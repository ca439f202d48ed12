# expect: LOC302 safe scope=edges
# expect: LOC302 safe scope=box
# expect: LOC302 safe scope=taps
import numpy as np

GX = np.array([[-1, 0, 1], [-2, 0, 2], [-1, 0, 1]])
BOX = np.ones((2, 3)) / 6
TAPS = np.array((0.25, 1 / 2, 0.25))


def louder():
    BOX[0, 0] = 2.0


def edges(image):
    h, w = image.shape
    out = np.zeros((h - 2, w - 2))
    for y in range(h - 2):
        for x in range(w - 2):
            out[y, x] = np.sum(image[y : y + 3, x : x + 3] * GX)
    return out


def box(image):
    h, w = image.shape
    out = np.zeros((h - 1, w - 2))
    for y in range(h - 1):
        for x in range(w - 2):
            out[y, x] = (image[y : y + 2, x : x + 3] * BOX).sum()
    return out


def taps(signal):
    n = signal.shape[0]
    out = np.zeros(n - 2)
    for i in range(n - 2):
        out[i] = signal[i : i + 3] @ TAPS
    return out


def cases(rng):
    for shape in ((5, 7), (3, 3), (2, 5)):
        yield "edges", (rng.standard_normal(shape),), {}
        yield "lambda image: (louder(), box(image))[1]", (rng.standard_normal(shape),), {}
    for n in (7, 3, 2):
        yield "taps", (rng.standard_normal(n),), {}
