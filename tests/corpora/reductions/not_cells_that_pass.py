# refuse: ASC106 an element of a row is asked at each of its cells, a triangle, an early end, a sum
import numpy as np


def rows(a: np.ndarray, weight: np.ndarray):
    n, m = a.shape
    count = 0
    for i in range(n):
        for _ in range(m):
            if weight[i] > 0:
                count += 1
    return count


def weighted(a: np.ndarray, weight: np.ndarray):
    n, m = a.shape
    total = 0.0
    for i in range(n):
        for j in range(m):
            if a[i, j] > 0:
                total += weight[i]
    return total


def triangle(a: np.ndarray):
    count = 0
    for i in range(a.shape[0]):
        for j in range(i):
            if a[i, j] > 0:
                count += 1
    return count


def until(a: np.ndarray):
    n, m = a.shape
    total = 0.0
    for i in range(n):
        for j in range(m):
            if a[i, j] < 0:
                break
            total += a[i, j]
    return total


def by_sum(a: np.ndarray):
    count = 0
    for row in a:
        if row.sum() > 0:
            count += 1
    return count


def cases(rng):
    a = rng.normal(size=(4, 4))
    for name in ("rows", "weighted"):
        yield name, (a, rng.normal(size=4)), {}
    for name in ("triangle", "until", "by_sum"):
        yield name, (a,), {}
