# expect: ASC114 safe scope=walks
import numpy as np


def walks(adjacency: np.ndarray, length: int):
    """Walks of a length between any two nodes; wraps where there are too many."""
    count = adjacency
    i = 1
    while i < length:
        count = count.dot(adjacency)
        i += 1
    return count


def cases(rng):
    for size, length in ((1, 2), (3, 5), (6, 40), (4, 3)):
        yield "walks", (rng.integers(0, 2, (size, size)).astype(np.int32), length), {}
