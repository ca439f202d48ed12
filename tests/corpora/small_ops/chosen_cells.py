# expect: LOC306 safe scope=picked
# expect: LOC306 safe scope=set_either_way
# expect: LOC306 safe scope=kept
# expect: LOC306 safe scope=bound
# expect: LOC306 safe scope=in_turn
# expect: LOC306 safe scope=left
# expect: LOC306 safe scope=both
# expect: LOC306 safe scope=masked
# expect: LOC306 safe scope=compared
# expect: LOC306 safe scope=added
# expect: LOC306 safe scope=own
# expect: LOC306 safe scope=huber
"""Cells that are one thing or another, by what a step reads."""

import numpy as np


def picked(img: np.ndarray, t: float):
    h, w = img.shape
    out = np.zeros((h, w))
    for i in range(h):
        for j in range(w):
            out[i, j] = 1.0 if img[i, j] > t else 0.0
    return out


def set_either_way(img: np.ndarray, t: float):
    h, w = img.shape
    out = np.zeros((h, w), dtype=np.uint8)
    for i in range(h):
        for j in range(w):
            if img[i, j] > t:
                out[i, j] = 255
            else:
                out[i, j] = 0
    return out


def kept(x: np.ndarray):
    (n,) = x.shape
    out = np.full(n, 7.0)
    for i in range(n):
        if x[i] > 0:
            out[i] = 2 * x[i]
    return out


def bound(x: np.ndarray, t: float):
    (n,) = x.shape
    out = np.zeros(n, dtype=x.dtype)
    for i in range(n):
        v = x[i]
        if v > t:
            w = v * v
        else:
            w = -v
        out[i] = w + v
    return out


def in_turn(x: np.ndarray, y: np.ndarray):
    (n,) = x.shape
    (n,) = y.shape
    out = np.empty(n)
    for i in range(n):
        if x[i] > 1 and y[i] > 0:
            out[i] = 2.0
        elif 0 < x[i] <= 1 or not y[i] < 0:
            out[i] = x[i]
        else:
            out[i] = y[i]
    return out


def left(x: np.ndarray):
    n = len(x)
    out = np.zeros(n)
    for i in range(n):
        if x[i] <= 0:
            out[i] = -1.0
            continue
        out[i] = x[i] ** 2
    return out


def both(x: np.ndarray, y: np.ndarray):
    h, w = x.shape
    h, w = y.shape
    out = np.zeros((h, w))
    for i in range(h):
        for j in range(w):
            out[i, j] = np.where(x[i, j] > 0, x[i, j], y[i, j])
    return out


def masked(x: np.ndarray, mask: np.ndarray):
    h, w = x.shape
    h, w = mask.shape
    out = x.copy()
    for i in range(h):
        for j in range(w):
            if not mask[i, j]:
                out[i, j] = 0
    return out


def compared(x: np.ndarray, t: float):
    (n,) = x.shape
    out = np.zeros(n, dtype=bool)
    for i in range(n):
        out[i] = x[i] > t and x[i] < 2 * t
    return out


def added(x: np.ndarray, y: np.ndarray):
    (n,) = x.shape
    (n,) = y.shape
    out = np.ones(n)
    for i in range(n):
        if x[i] > y[i]:
            out[i] += x[i]
        else:
            out[i] -= 0.5
    return out


def own(x: np.ndarray, t: float):
    h, w = x.shape
    for i in range(h):
        for j in range(w):
            if x[i, j] > t:
                x[i, j] = 1
            else:
                x[i, j] = 0
    return x


def huber(x: np.ndarray, d: float):
    (n,) = x.shape
    out = np.zeros(n)
    for i in range(n):
        r = (x[i] - 1) / d
        out[i] = 0.5 * r**2 if abs(r) < 1 else abs(r) - 0.5
    return out


def cases(rng):
    def G(*s, dtype=float):
        return np.round(2 * rng.standard_normal(s), 1).astype(dtype)

    for h, w in ((0, 2), (1, 1), (3, 5)):
        for dtype in (float, np.float32, int):
            yield "picked", (G(h, w, dtype=dtype), 0.5), {}
            yield "set_either_way", (G(h, w, dtype=dtype), 0.5), {}
            yield "kept", (G(w, dtype=dtype),), {}
            yield "bound", (G(w, dtype=dtype), 0.5), {}
            yield "both", (G(h, w, dtype=dtype), G(h, w, dtype=dtype)), {}
            yield "masked", (G(h, w, dtype=dtype), G(h, w) > 0), {}
            yield "compared", (G(w, dtype=dtype), 0.5), {}
            yield "own", (G(h, w, dtype=dtype), 0.5), {}
        yield "picked", (G(w, h).T, 0.5), {}
        yield "own", (G(w, h).T, 0.5), {}
        yield "masked", (G(h, w), G(h, w)), {}
        yield "in_turn", (G(w), G(w)), {}
        yield "left", (G(w),), {}
        yield "added", (G(2 * w)[::2], G(w)), {}
        yield "huber", (G(w), 1.5), {}
