# expect: SYM602 safe scope=gram

from itertools import combinations_with_replacement

import numpy as np


def gram(vectors: np.ndarray):
    n, d = vectors.shape
    table = np.zeros((n, n))
    for first, second in combinations_with_replacement(range(n), 2):
        dot = vectors[first] @ vectors[second]
        table[first, second] = dot
        table[second, first] = dot
    return table


def cases(rng):
    for shape in ((5, 3), (1, 4), (7, 1), (0, 2)):
        yield "gram", (rng.random(shape),), {}
