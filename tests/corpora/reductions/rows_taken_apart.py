# expect: ASC106 safe scope=moment
# expect: ASC106 safe scope=area
# expect: ASC106 safe scope=work
# expect: ASC106 safe scope=manhattan
# expect: ASC106 safe scope=springs
# expect: ASC106 safe scope=frobenius
import math

import numpy as np


def moment(points: np.ndarray) -> float:
    total = 0.0
    for p in points:
        total += p[0] * p[1]
    return total


def area(boxes: np.ndarray) -> float:
    total = 0.0
    for x0, y0, x1, y1 in boxes:
        total += (x1 - x0) * (y1 - y0)
    return total


def work(samples: np.ndarray) -> float:
    n, two = samples.shape
    total = 0.0
    for i in range(n):
        force, step = samples[i]
        total += force * step
    return total


def manhattan(a: np.ndarray, b: np.ndarray) -> float:
    total = 0.0
    for p, q in zip(a, b):
        total += abs(p[0] - q[0]) + abs(p[1] - q[1])
    return total


def springs(x: np.ndarray, bonds: np.ndarray, k: float) -> float:
    energy = 0.0
    for i, j in bonds:
        energy += 0.5 * k * (x[i] - x[j]) ** 2
    return energy


def frobenius(m: np.ndarray) -> float:
    total = 0.0
    for i in range(m.shape[0]):
        for j in range(m.shape[1]):
            total += m[i][j] ** 2
    return math.sqrt(total)


def cases(rng):
    for n in (0, 1, 2, 7):
        yield "moment", (rng.random((n, 2)),), {}
        yield "moment", (rng.random((n, 6))[:, ::3],), {}
        yield "area", (rng.random((n, 4)),), {}
        yield "work", (rng.random((n, 2)),), {}
        yield "manhattan", (rng.random((n, 2)), rng.random((n + 1, 2))), {}
        yield "springs", (rng.random(5), rng.integers(0, 5, (n, 2)), 3.0), {}
        yield "frobenius", (rng.random((n, 3)),), {}
