# expect: LOC303 safe scope=box
# expect: LOC303 safe scope=named_ends
import numpy as np


def box(img: np.ndarray, r: int):
    h, w = img.shape
    out = np.zeros((h, w))
    for y in range(h):
        for x in range(w):
            patch = img[max(0, y - r) : min(h, y + r + 1), max(0, x - r) : min(w, x + r + 1)]
            out[y, x] = patch.mean()
    return out


def named_ends(img: np.ndarray, r: int):
    h, w = img.shape
    out = np.zeros((h, w))
    for y in range(h):
        for x in range(w):
            top, bottom = max(y - r, 0), min(y + r + 1, h)
            left, right = max(x - r, 0), min(x + r + 1, w)
            out[y, x] = img[top:bottom, left:right].sum()
    return out


def cases(rng):
    yield "box", (rng.standard_normal((7, 6)), 1), {}
    yield "box", (rng.standard_normal((2, 3)), 4), {}
    yield "box", (rng.integers(0, 255, (4, 5)), 2), {}
    yield "box", (np.zeros((0, 3)), 1), {}
    yield "named_ends", (rng.standard_normal((7, 6)), 1), {}
    yield "named_ends", (rng.standard_normal((2, 3)), 4), {}
    yield "named_ends", (np.zeros((0, 3)), 1), {}
