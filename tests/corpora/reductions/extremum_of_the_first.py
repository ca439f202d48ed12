# expect: ASC106 safe scope=peak
# expect: ASC106 safe scope=trough
# expect: ASC106 safe scope=above
# expect: ASC106 safe scope=total
import numpy as np
import torch


def peak(levels: np.ndarray, count: int) -> float:
    best = -1e9
    for i in range(count):
        if levels[i] > best:
            best = levels[i]
    return best


def trough(levels: np.ndarray, window: int) -> float:
    least = 1e9
    for i in range(len(levels) - window):
        if levels[i] < least:
            least = levels[i]
    return least


def above(levels: np.ndarray, order: int) -> bool:
    found = False
    for i in range(order - 1):
        if levels[i] > 0.5:
            found = True
    return found


def total(rows: torch.Tensor, window: int) -> torch.Tensor:
    s = torch.zeros(3)
    for i in range(len(rows) - window):
        s = s + rows[i]
    return s


def cases(rng):
    for size in (1, 2, 5):
        levels = rng.standard_normal(size)
        for count in range(size + 1):
            yield "peak", (levels, count), {}
        for window in (0, 1, 2, 4, 5, 9):
            yield "trough", (levels, window), {}
            yield "total", (torch.tensor(rng.standard_normal((size, 3))).float(), window), {}
        for order in (0, 1, 2):
            yield "above", (levels, order), {}
