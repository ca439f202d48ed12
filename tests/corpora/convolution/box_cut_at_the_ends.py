# expect: LOC303 safe scope=box
import numpy as np


def box(img: np.ndarray, r: int):
    h, w = img.shape
    out = np.zeros((h, w))
    for y in range(h):
        for x in range(w):
            patch = img[max(0, y - r) : min(h, y + r + 1), max(0, x - r) : min(w, x + r + 1)]
            out[y, x] = patch.mean()
    return out


def cases(rng):
    yield "box", (rng.standard_normal((7, 6)), 1), {}
    yield "box", (rng.standard_normal((2, 3)), 4), {}
    yield "box", (rng.integers(0, 255, (4, 5)), 2), {}
    yield "box", (np.zeros((0, 3)), 1), {}
