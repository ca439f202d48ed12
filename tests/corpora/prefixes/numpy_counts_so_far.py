# expect: ASC105 safe scope=seen
# expect: ASC105 safe scope=place
# expect: ASC105 safe scope=gains
import numpy as np


def seen(labels, wanted: int):
    count = 0
    counts = np.zeros(len(labels), dtype=np.int64)
    for i in range(len(labels)):
        if labels[i] == wanted:
            count += 1
        counts[i] = count
    return counts


def place(mask):
    at = 0
    places = np.zeros(len(mask), dtype=np.int64)
    for i in range(len(mask)):
        places[i] = at
        if mask[i]:
            at += 1
    return places


def gains(changes):
    total = 0.0
    kept = np.zeros(len(changes), dtype=np.float32)
    for i in range(len(changes)):
        if changes[i] > 0:
            total += changes[i]
        kept[i] = total
    return kept


def cases(rng):
    for n in (1, 2, 33):
        yield "seen", (rng.integers(0, 3, n), 2), {}
        yield "seen", (rng.integers(0, 3, n).tolist(), 2), {}
        yield "place", (rng.integers(0, 2, n).astype(bool),), {}
        yield "gains", (rng.standard_normal(n),), {}
        yield "gains", (rng.standard_normal(n).astype(np.float32),), {}
