# refuse: SPA406 a step reads what it adds to, or the order of the steps counts
"""Steps that change several cells of one array, not only by adding to them."""

import numpy as np


def fed(edges: np.ndarray):
    out = np.zeros(5)
    for u, v in edges:
        out[u] += 1
        out[v] += out[u]
    return out


def limited(edges: np.ndarray):
    out = np.zeros(5)
    for u, v in edges:
        out[u] += 1
        out[v] = max(out[v], 2)
    return out


def set_too(edges: np.ndarray):
    out = np.zeros(5)
    for u, v in edges:
        out[u] += 1
        out[v] = 0
    return out


def of_a_dictionary(labels):
    counts = {0: 0, 1: 0, 2: 0}
    for label in labels:
        counts[label] += 1
    return counts


def cases(rng):
    for name in ("fed", "limited", "set_too"):
        yield name, (rng.integers(0, 5, (9, 2)),), {}
    yield "of_a_dictionary", (list(rng.integers(0, 3, 6).tolist()),), {}
