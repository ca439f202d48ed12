# expect: SYM601 safe scope=table

import math

import numpy as np


def between(a, b):
    lat = math.radians(b[0] - a[0])
    lon = math.radians(b[1] - a[1])
    h = math.sin(lat / 2) ** 2
    h = h + math.cos(math.radians(a[0])) * math.cos(math.radians(b[0])) * math.sin(lon / 2) ** 2
    return 2 * 6371.0 * math.asin(math.sqrt(h))


def table(cities: np.ndarray):
    count = cities.shape[0]
    km = np.empty((count, count))
    for first in range(count):
        for second in range(count):
            km[first, second] = between(cities[first], cities[second])
    return km


def cases(rng):
    yield "table", (rng.random((5, 2)) * 90,), {}
    yield "table", (rng.random((1, 2)) * 90,), {}
