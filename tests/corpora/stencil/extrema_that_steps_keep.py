# expect: LOC302 safe scope=largest_around
# expect: LOC302 safe scope=pooled
# expect: LOC302 safe scope=pooled_from_the_first
# expect: LOC302 safe scope=smallest_of_three
# expect: LOC302 safe scope=largest_of_those_beside
# expect: LOC302 safe scope=range_of_values
# expect: LOC303 safe scope=rolling
# expect: LOC303 safe scope=rolling_least
# expect: LOC303 safe scope=pooled_tensors
# expect: LOC306 safe scope=of_rows
# expect: ASC106 safe scope=of_rows_with_a_start
import math

import numpy as np
import torch


def largest_around(img: np.ndarray):
    h, w = img.shape
    out = np.zeros((h - 2, w - 2))
    for i in range(1, h - 1):
        for j in range(1, w - 1):
            best = img[i, j]
            for di in (-1, 0, 1):
                for dj in (-1, 0, 1):
                    best = max(best, img[i + di, j + dj])
            out[i - 1, j - 1] = best
    return out


def pooled(img: np.ndarray):
    h, w = img.shape
    out = np.zeros((h // 2, w // 2))
    for i in range(h // 2):
        for j in range(w // 2):
            m = -np.inf
            for a in range(2):
                for b in range(2):
                    m = max(m, img[2 * i + a, 2 * j + b])
            out[i, j] = m
    return out


def pooled_from_the_first(img: np.ndarray):
    h, w = img.shape
    out = np.zeros((h // 2, w // 2))
    for i in range(h // 2):
        for j in range(w // 2):
            m = img[2 * i, 2 * j]
            for a in range(2):
                for b in range(2):
                    if img[2 * i + a, 2 * j + b] > m:
                        m = img[2 * i + a, 2 * j + b]
            out[i, j] = m
    return out


def smallest_of_three(x: np.ndarray):
    n = len(x)
    out = np.zeros(n)
    for i in range(1, n - 1):
        out[i] = min(x[i + d] for d in (-1, 0, 1))
    return out


def largest_of_those_beside(u: np.ndarray):
    h, w = u.shape
    out = u.copy()
    for i in range(1, h - 1):
        for j in range(1, w - 1):
            best = 0.5
            for di, dj in ((0, 1), (1, 0), (0, -1), (-1, 0)):
                best = max(best, u[i + di, j + dj])
            out[i, j] = best
    return out


def range_of_values(x: np.ndarray):
    n = len(x)
    out = np.zeros(n)
    for i in range(1, n - 1):
        low = math.inf
        high = -math.inf
        for d in (-1, 0, 1):
            low = min(low, x[i + d])
            high = max(high, x[i + d])
        out[i] = high - low
    return out


def rolling(x: np.ndarray, w: int):
    n = x.shape[0] - w + 1
    out = np.empty(n)
    for i in range(n):
        best = x[i]
        for k in range(1, w):
            best = max(best, x[i + k])
        out[i] = best
    return out


def rolling_least(x: np.ndarray, w: int):
    n = x.shape[0] - w + 1
    out = np.empty(n)
    for i in range(n):
        least = float("inf")
        for k in range(w):
            if x[i + k] < least:
                least = x[i + k]
        out[i] = least
    return out


def pooled_tensors(img: torch.Tensor):
    h, w = img.shape
    out = torch.zeros(h // 2, w // 2)
    for i in range(h // 2):
        for j in range(w // 2):
            m = img[2 * i, 2 * j]
            for a in range(2):
                for b in range(2):
                    m = max(m, img[2 * i + a, 2 * j + b])
            out[i, j] = m
    return out


def of_rows(x: np.ndarray):
    n, m = x.shape
    out = np.zeros(n)
    for i in range(n):
        best = x[i, 0]
        for j in range(1, m):
            if x[i, j] > best:
                best = x[i, j]
        out[i] = best
    return out


def of_rows_with_a_start(x: np.ndarray):
    n, m = x.shape
    out = np.zeros(n)
    for i in range(n):
        best = 0.0
        for j in range(m):
            best = max(best, x[i, j] * 2)
        out[i] = best
    return out


def cases(rng):
    for size in ((6, 5), (3, 3), (2, 4)):
        img = rng.normal(size=size)
        yield "largest_around", (img,), {}
        yield "pooled", (img,), {}
        yield "pooled_from_the_first", (img,), {}
        yield "largest_of_those_beside", (img,), {}
        yield "of_rows", (img,), {}
        yield "of_rows_with_a_start", (img,), {}
        tensor = torch.tensor(img, dtype=torch.float32, requires_grad=True)
        yield "pooled_tensors", (tensor,), {}
    for n in (9, 3):
        yield "smallest_of_three", (rng.normal(size=n),), {}
        yield "range_of_values", (rng.normal(size=n),), {}
        yield "rolling", (rng.normal(size=n), 3), {}
        yield "rolling", (rng.normal(size=n), 1), {}
        yield "rolling_least", (rng.normal(size=n), 2), {}
