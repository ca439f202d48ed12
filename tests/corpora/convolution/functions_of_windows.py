# expect: LOC303 safe scope=median_filter
# expect: LOC303 safe scope=median_blur
# expect: LOC303 safe scope=rolling_spread
# expect: LOC303 safe scope=spread_of_tensors
# expect: LOC303 safe scope=largest_at
# expect: LOC303 safe scope=python_sums
# expect: LOC306 safe scope=rows
"""What a library takes of each window: its median, its spread, where it is largest."""

import numpy as np
import torch


def median_filter(image: np.ndarray):
    h, w = image.shape
    out = image.copy()
    for y in range(1, h - 1):
        for x in range(1, w - 1):
            out[y, x] = np.median(image[y - 1 : y + 2, x - 1 : x + 2])
    return out


def median_blur(image, k):
    h, w = image.shape
    padded = np.pad(image, k // 2, mode="reflect")
    out = np.zeros((h, w))
    for y in range(h):
        for x in range(w):
            out[y, x] = np.median(padded[y : y + k, x : x + k])
    return out


def rolling_spread(x: np.ndarray, w: int):
    n = len(x)
    out = np.zeros(n - w + 1)
    for i in range(n - w + 1):
        window = x[i : i + w]
        out[i] = window.std(ddof=1)
    return out


def spread_of_tensors(x: torch.Tensor, w: int):
    n = x.shape[0]
    out = torch.zeros(n - w + 1)
    for i in range(n - w + 1):
        out[i] = x[i : i + w].var(unbiased=False)
    return out


def largest_at(x: np.ndarray, w: int):
    n = x.shape[0]
    out = np.zeros(n - w + 1, dtype=int)
    for i in range(n - w + 1):
        out[i] = np.argmax(x[i : i + w])
    return out


def python_sums(prices: np.ndarray, window: int):
    result = np.full(len(prices), np.nan)
    for t in range(window - 1, len(prices)):
        result[t] = sum(prices[t - window + 1 : t + 1]) / window
    return result


def rows(x):
    n, m = x.shape
    out = np.zeros(n)
    for i in range(n):
        out[i] = np.median(x[i]) + np.var(x[i], ddof=1)
    return out


def cases(rng):
    for shape in ((5, 6), (3, 3), (2, 5), (1, 1)):
        yield "median_filter", (rng.normal(size=shape),), {}
        yield "median_filter", (rng.integers(0, 9, size=shape),), {}
        yield "median_filter", (rng.normal(size=shape).astype(np.float32),), {}
    for k in (1, 2, 3, 4):
        yield "median_blur", (rng.normal(size=(5, 6)), k), {}
    for n, w in ((7, 3), (7, 7), (5, 2)):
        yield "rolling_spread", (rng.normal(size=n), w), {}
        x = torch.tensor(rng.normal(size=n), requires_grad=True)
        yield "spread_of_tensors", (x, w), {}
        yield "largest_at", (rng.normal(size=n), w), {}
        yield "python_sums", (rng.normal(size=n), w), {}
        yield "rows", (rng.normal(size=(n, w)),), {}
    yield "python_sums", (rng.normal(size=2), 3), {}
    yield "rows", (np.zeros((0, 3)),), {}
