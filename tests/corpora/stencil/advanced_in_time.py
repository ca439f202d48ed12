# expect: LOC302 safe scope=advected
# expect: LOC302 safe scope=diffused
# expect: LOC302 safe scope=kept_below
# expect: LOC302 safe scope=relaxed
# expect: LOC302 safe scope=exchanged
# expect: LOC302 safe scope=handed_on
import numpy as np
import torch


def advected(cells: int, steps: int, speed: float):
    """Each step of time copies what it then writes."""
    h = np.ones(cells)
    h[2:4] = 2.0
    for _ in range(steps):
        before = h.copy()
        for j in range(1, cells):
            h[j] = before[j] - speed * before[j] * (before[j] - before[j - 1])
    return h


def diffused(rows: int, columns: int, steps: int, nu: float):
    w = np.zeros((rows, columns))
    w[1:3, 1:2] = 3.0
    for _ in range(steps):
        old = np.copy(w)
        for r in range(1, rows - 1):
            for c in range(1, columns - 1):
                w[r, c] = old[r, c] + nu * (old[r + 1, c] + old[r - 1, c] - 2 * old[r, c])
        w[0, :] = 1.0
    return w


def kept_below(h: np.ndarray, steps: int):
    """Of an argument whose axes are stated."""
    (cells,) = h.shape
    for _ in range(steps):
        before = h.copy()
        for j in range(1, cells - 1):
            h[j] = 0.25 * before[j - 1] + 0.5 * before[j] + 0.25 * before[j + 1]
    return h


def relaxed(w: torch.Tensor, steps: int):
    rows, columns = w.shape
    for _ in range(steps):
        old = w.clone()
        for r in range(1, rows - 1):
            for c in range(1, columns - 1):
                w[r, c] = (old[r + 1, c] + old[r - 1, c] + old[r, c + 1] + old[r, c - 1]) / 4
    return w


def exchanged(cells: int, steps: int, rate: float):
    a = np.ones(cells)
    b = np.zeros(cells)
    for _ in range(steps):
        for j in range(1, cells - 1):
            b[j] = a[j] + rate * (a[j + 1] - a[j - 1])
        a, b = b, a
    return a


def handed_on(cells: int, steps: int, rate: float):
    a = np.ones(cells)
    for _ in range(steps):
        b = np.zeros_like(a)
        for j in range(1, cells - 1):
            b[j] = a[j] + rate * (a[j + 1] - a[j - 1])
        a = b
    return a


def cases(rng):
    for cells in (7, 2, 1):
        yield "advected", (cells, 3, 0.1), {}
        yield "diffused", (cells, cells + 1, 2, 0.2), {}
        yield "kept_below", (rng.random(cells), 3), {}
        yield "relaxed", (torch.rand(cells, 5), 2), {}
        yield "exchanged", (cells, 3, 0.1), {}
        yield "handed_on", (cells, 3, 0.1), {}
